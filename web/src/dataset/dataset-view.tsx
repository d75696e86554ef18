/** The page of one dataset: what it is, what it covers, its files, and how to use it. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { href, place, resultsAddress } from "../address/address.js";
import { DownloadButton } from "../cart/file-download.js";
import { Busy } from "../parts/busy.js";
import { CopyButton } from "../parts/code/copy-button.js";
import { Failure } from "../parts/failure.js";
import { FileLink } from "../parts/file-link.js";
import { Fold } from "../parts/fold.js";
import { canLook, farStorage, namesOf } from "../results/dataset-names.js";
import { AddToCart, Marks, Retracted } from "../results/dataset-row.js";
import { Files, lookAddress } from "../results/files.js";
import { periodTexts } from "../results/period-texts.js";
import { intervalOfStretch, timeAxis } from "../results/time-axis.js";
import { AxisLabels, TimeBar } from "../results/time-bar.js";
import { loadLongNames, longName } from "../search/long-names.js";
import { searchedText } from "../search/value-text.js";
import { periodWords } from "../service/dates.js";
import { useFacetNames } from "../service/facet-names.js";
import { useFlavour } from "../service/flavours.js";
import { byteText, filesText } from "../service/numbers.js";
import { VIEWS } from "../shell/views.js";
import { words } from "../words/dataset.js";
import { words as resultWords } from "../words/results.js";
import { words as shellWords } from "../words/shell.js";
import { type DatasetFacts, datasetPairs, useDatasetFacts } from "./facts.js";
import { citationLine, referencesOf } from "./references.js";
import { Catalogues, OpenWhole } from "./take-along.js";
import { Where } from "./where.js";

const loadHeader = async () => (await import("./dataset-header.js")).DatasetHeader;

export function DatasetPage() {
  const flavour = useFlavour();
  const name = place.value.query.get("dataset_id") ?? undefined;
  const { value, failure, busy, retry } = useDatasetFacts(name, flavour);
  useEffect(() => void loadLongNames(), []);
  useEffect(() => {
    if (name) document.title = `${name} · ${shellWords.page}`;
  }, [name]);
  const isThere = value && (value.newest.dataset_id ?? "").toLowerCase() === name?.toLowerCase();
  if (isThere && flavour !== undefined) return <Page facts={value} flavour={flavour} />;
  return (
    <div class="dataset-page">
      <h1>{name ?? words.title}</h1>
      {failure && <Failure failure={failure} retry={retry} />}
      {busy && name !== undefined && <Busy of={words.busy} />}
      {!busy && !failure && (
        <p>
          {name === undefined ? words.nothing : words.notFound}{" "}
          <a href={resultsAddress()}>{words.toSearch}</a>
        </p>
      )}
    </div>
  );
}

function Page({ facts, flavour }: { readonly facts: DatasetFacts; readonly flavour: string }) {
  const { newest, all } = facts;
  const { facets } = useFacetNames();
  const name = newest.dataset_id ?? "";
  const pairs = datasetPairs(name);
  const names = facets && namesOf(newest, facets.first);
  const [written = ""] = facts.details.get("long_name") ?? [];
  const title = names?.variableName || written || names?.variable || name;
  const { example } = newest;
  return (
    <div class="dataset-page">
      <p class="dataset-crumbs">
        <a href={resultsAddress()}>{VIEWS[""].title}</a>
        {(["project", "model", "experiment"] as const).map((native) => {
          const facet = facets?.first[native] ?? "";
          const value = newest.facets[facet];
          return value === undefined ? null : (
            <a key={native} href={href("", valueQuery(flavour, facet, value))}>
              {value}
            </a>
          );
        })}
      </p>
      <h1>
        {title} {names && names.variable !== title && <code>{names.variable}</code>}
      </h1>
      <p class="row dataset-id">
        <span>{name}</span> <CopyButton text={name} name={words.copyName} />
      </p>
      <p class="row">
        <Marks dataset={newest} />
      </p>
      <div class="row dataset-do">
        {example && canLook(newest) && (
          <a class="button primary" href={lookAddress(example.file, flavour)}>
            {resultWords.look}
          </a>
        )}
        <DownloadButton search={{ flavour, pairs }} name={name} kind="script" />
        <AddToCart dataset={newest} flavour={flavour} name={name} isWritten />
        <span class="quiet">
          {filesText(newest.files)}
          {newest.sized_files > 0 &&
            `, ${resultWords.bytes(byteText(newest.bytes), newest.sized_files === newest.files)}`}
        </span>
      </div>
      {!canLook(newest) && <p class="quiet">{whyNoLook(facts)}</p>}
      <div class="dataset-parts">
        <div>
          <Period facts={facts} />
          <Section title={words.what}>
            <Facts facts={facts} flavour={flavour} />
          </Section>
          <Section title={words.files}>
            <Files flavour={flavour} dataset={all} pairs={[["multi-version", "true"]]} isFull />
          </Section>
          {example && canLook(newest) && (
            <Fold
              key={example.file}
              title={words.header}
              load={loadHeader}
              props={{ file: example.file, flavour }}
            />
          )}
        </div>
        <div>
          <Versions facts={facts} />
          <Where dataset={newest} />
          <Rights
            facts={facts}
            flavour={flavour}
            institute={newest.facets[facets?.first.institute ?? ""] ?? ""}
          />
          <OpenWhole name={name} flavour={flavour} dataset={newest} />
          <Catalogues name={name} flavour={flavour} dataset={newest} />
        </div>
      </div>
    </div>
  );
}

const whyNoLook = ({ newest }: DatasetFacts): string =>
  newest.example === null
    ? words.noRights
    : farStorage(newest).length > 0
      ? words.onTape
      : words.notReadable(newest.example.reason ?? words.noFormat);

const valueQuery = (flavour: string, facet: string, value: string): URLSearchParams =>
  new URLSearchParams([
    ["flavour", flavour],
    [facet, searchedText(value)],
  ]);

function Section({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  const id = `section-${title.toLowerCase().replaceAll(" ", "-")}`;
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Period({ facts: { newest } }: { readonly facts: DatasetFacts }) {
  const axis = timeAxis([intervalOfStretch(newest)]);
  const hasTime = newest.dated_files > 0 && newest.start !== null;
  return (
    <Section title={words.period}>
      {axis && hasTime && (
        <>
          <AxisLabels axis={axis} />
          <TimeBar axis={axis} dataset={newest} />
        </>
      )}
      <ul class="bare dataset-periods">
        {periodTexts(newest, 20).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Section>
  );
}

/** Facets, each with a link to everything that has its value, and details of the files. */
function Facts({ facts, flavour }: { readonly facts: DatasetFacts; readonly flavour: string }) {
  const { newest, details } = facts;
  const { facets } = useFacetNames();
  const natives = new Map(
    Object.entries(facets?.first ?? {}).map(([native, name]) => [name, native]),
  );
  const shown = [...details].filter(([name, values]) => name !== "license" && values.length > 0);
  return (
    <dl class="dataset-facts">
      {Object.entries(newest.facets).map(([facet, value]) => {
        const said = longName(natives.get(facet) ?? facet, value);
        return (
          <div key={facet}>
            <dt>{facet}</dt>
            <dd>
              <a href={href("", valueQuery(flavour, facet, value))}>{value}</a>
              {said !== undefined && <span class="quiet"> {said}</span>}
            </dd>
          </div>
        );
      })}
      {shown.map(([name, values]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{values.join(", ")}</dd>
        </div>
      ))}
      <div>
        <dt>{words.formats}</dt>
        <dd>{newest.formats.map(({ format }) => format).join(", ") || words.unknown}</dd>
      </div>
      <div>
        <dt>{words.storage}</dt>
        <dd>
          {newest.storage
            .map(({ fs_type, files }) => `${words.storageOf(fs_type)}: ${filesText(files)}`)
            .join(", ") || words.unknown}
        </dd>
      </div>
    </dl>
  );
}

function Versions({ facts: { all, newest } }: { readonly facts: DatasetFacts }) {
  const current = new Set(newest.versions.map(({ version }) => version));
  return (
    <Section title={words.versions}>
      {all.versions.length === 0 ? (
        <p class="quiet">{words.noVersion}</p>
      ) : (
        <ul class="bare dataset-versions">
          {all.versions.map(({ version, files, retracted, start, end }) => (
            <li key={version}>
              {retracted === files ? <s>{version}</s> : version}{" "}
              <span class="quiet">
                {[filesText(files), periodWords({ start, end })].filter(Boolean).join(", ")}
              </span>{" "}
              {current.has(version) && <span class="chip">{words.current}</span>}{" "}
              <Retracted retracted={retracted} files={files} />
            </li>
          ))}
        </ul>
      )}
      {newest.retracted > 0 && <p>{words.retractedMeans}</p>}
    </Section>
  );
}

/** The forms in which a citation is saved, with the names of their files. */
const CITATIONS = { bibtex: "citation.bib", "csl-json": "citation.json", text: "citation.txt" };

function Rights({
  facts,
  flavour,
  institute,
}: {
  readonly facts: DatasetFacts;
  readonly flavour: string;
  readonly institute: string;
}) {
  const { newest, furtherInfo, trackingId, details } = facts;
  const name = newest.dataset_id ?? "";
  const [latest] = newest.versions;
  const day = new Date().toISOString().slice(0, 10);
  const version = latest?.version ?? "";
  const line = citationLine({ name, institute, version }, location.href, day);
  const licences = details.get("license") ?? [];
  return (
    <Section title={words.rights}>
      <h3>{words.licence}</h3>
      <p>{licences.length === 0 ? words.noLicence : licences.join("; ")}</p>
      <h3>{words.cite}</h3>
      <p class="dataset-cite">{line}</p>
      <CopyButton text={line} name={words.copyCitation} />
      {newest.citation_url === null && <p>{words.citationUnknown}</p>}
      <ul class="bare dataset-links">
        {Object.entries(CITATIONS).map(([form, file]) => (
          <li key={form}>
            <FileLink
              file={file}
              path="/databrowser/cite/{flavour}"
              options={{ in: { flavour }, query: [...datasetPairs(name), ["format", form]] }}
            >
              {words.citationAs(form)}
            </FileLink>
          </li>
        ))}
        {referencesOf({ citation: newest.citation_url, furtherInfo, trackingId }).map(
          ({ kind, url }) => (
            <li key={kind}>
              <a href={url} target="_blank" rel="noopener noreferrer">
                {words.references[kind]}
              </a>
            </li>
          ),
        )}
      </ul>
    </Section>
  );
}
