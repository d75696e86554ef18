/** Attacks on every operation of the contract: keys that none has, long texts, odd headers, missing and forged tokens. */
import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../../../generated/operations.js";
import type { Problem } from "../../../generated/schemas.js";
import { expectBelow } from "../../support/run/bounds.js";
import { attempts, chance, SEED, tried } from "../../support/run/trials.js";
import { type Call, calls } from "../../support/service/operations.js";
import { bearer } from "../../support/service/sign-in.js";
import { usePerson, useService } from "../../support/service/use-service.js";
import { useFaultySolr } from "../../support/solr/faulty-solr.js";

/** Milliseconds in which anything of these sizes is done, however busy the machine is. */
const SOON = 1500;

const wire = useFaultySolr();
const service = useService(() => ({ documents: "sample", endpoint: { urls: [wire.url] } }));
const ada = usePerson(service);

const ALL = calls();
const READING = ALL.filter(({ method }) => method === "GET");
/** Operations that refuse keys of a query; RFC 6749, 3.1 has others ignored. */
const QUERYING = READING.filter(({ id, parameters }) => parameters && id !== "authorize");

const send = ({ method, address }: Call, more = "", headers: Record<string, string> = {}) =>
  fetch(`${service.address}${address}${more}`, {
    method,
    headers: { ...bearer(ada.token).headers, ...headers },
    redirect: "manual",
  });

/** The names in the query that an answer refuses. */
async function refused(response: Response, call: Call, told: string): Promise<string[]> {
  const text = await response.text();
  expect([response.status, response.headers.get("content-type")], `${told}: ${text}`).toEqual([
    call.invalid,
    "application/problem+json",
  ]);
  const { errors = [] } = JSON.parse(text) as Problem;
  expect([...new Set(errors.map((error) => error.in))], told).toEqual(["query"]);
  return errors.map(({ name }) => name);
}

/** Keys as they are sent, each with the name by which it is refused. */
const KEYS: readonly (readonly [written: string, name: string])[] = [
  // Members of every object, in several spellings, and an empty name.
  ["__proto__", "__proto__"],
  ["%5F_proto__", "__proto__"],
  ["%5f%5f%70roto%5f_", "__proto__"],
  ["__proto___not_", "__proto__"],
  ["__defineGetter__", "__defineGetter__"],
  ["constructor", "constructor"],
  ["hasOwnProperty", "hasOwnProperty"],
  ["prototype", "prototype"],
  ["toString", "toString"],
  ["valueOf_not_", "valueOf"],
  ["", ""],
  // Parameters and fields of Solr.
  ...(
    "q fq fl sort rows wt qt shards shards.qt stream.url stream.body stream.file defType debug facet facet.field json " +
    "json.facet collection _query_ $q v expr cursorMark tr indent echoParams timeAllowed action commit delete overwrite " +
    "df q.op hl terms.fl spellcheck mm file_digest _version_ owner inode id score [docid] * {!lucene} -project"
  )
    .split(" ")
    .flatMap((key) => [key, `${key}_not_`])
    .map(
      (key) =>
        [encodeURIComponent(key), /^[\w.]+$/.test(key) ? key.replace(/_not_$/, "") : ""] as const,
    ),
];

describe("an operation with a query", () => {
  it.each(QUERYING.map((call) => [call.id, call] as const))(
    "refuses keys that it does not have, without a request to Solr: %s",
    async (_, call) => {
      const own = new Set(call.parameters?.map((name) => name.replaceAll("-", "_")));
      const keys = KEYS.filter(([, name]) => !own.has(name.replaceAll("-", "_")));
      const from = wire.asked.length;
      for (const [written, name] of keys) {
        for (const query of [`&${written}=http://127.0.0.1:9`, `&${written}=x&${written}=y`]) {
          const told = `${call.address}${query}`;
          const names = await refused(await send(call, query), call, told);
          expect(names.some((one) => one.startsWith(name.slice(0, 1) === "[" ? "" : name))).toBe(
            true,
          );
        }
      }
      tried(keys.length * 2);
      // Accounts and the like the service asks for by itself.
      expect(wire.asked.slice(from).filter(({ path }) => !path.startsWith("state/"))).toEqual([]);
    },
  );

  it.each(["1", " ", "+-", ",", ".", "[(", "2000-01"])(
    "refuses a long text as a period or box at once: %j",
    async (again) => {
      const value = encodeURIComponent(again.repeat(5000 / again.length));
      for (const call of QUERYING) {
        for (const key of ["time", "datetime", "bbox"]) {
          if (!call.parameters?.includes(key)) continue;
          const begun = performance.now();
          const told = `${call.address}&${key}`;
          expect(await refused(await send(call, `&${key}=${value}`), call, told)).toContain(key);
          expectBelow(performance.now() - begun, SOON, told);
        }
      }
    },
  );
});

describe("an operation that reads", () => {
  const NAMES = ["Authorization", "If-None-Match", "Range", "Accept-Encoding", "User-Agent"];
  const STARTS = ["Basic ", "Bearer ", "bytes=", "W/", "gzip;q=", '"', ""];
  const AGAIN = [" ", "1", ",", "-", "=", "a.", '",W/"'];

  it.each(READING.map((call) => [call.id, call] as const))(
    "answers long headers at once, and without an error of its own: %s",
    async (_, call) => {
      const random = chance(SEED);
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
      for (let turn = 0; turn < attempts(5, 245); turn += 1) {
        const [name, start, again] = [pick(NAMES), pick(STARTS), pick(AGAIN)];
        const value = (start + again.repeat(14_000 / again.length)).trim();
        const told = `SEED=${SEED} ${name}: ${start}${again}`;
        const begun = performance.now();
        const response = await send(call, "", { [name]: value });
        await response.text();
        expect(response.status, told).toBeLessThan(500);
        expectBelow(performance.now() - begun, SOON, told);
      }
    },
  );
});

describe("an operation that requires a token", () => {
  it.each(
    ALL.filter(({ id }) => OPERATIONS[id].access === "required").map(
      (call) => [call.id, call] as const,
    ),
  )("is 401 without a token, and with one that was changed: %s", async (_, call) => {
    for (const wrong of [
      "",
      `Bearer ${ada.token.slice(0, -8)}AAAAAAAA`,
      "Bearer x.y.z",
      "Basic eDp5",
    ]) {
      const response = await send(call, "", { Authorization: wrong });
      expect([response.status, response.headers.get("content-type")], wrong).toEqual([
        401,
        "application/problem+json",
      ]);
      expect(response.headers.get("www-authenticate"), wrong).toMatch(/^Bearer /);
      await response.arrayBuffer();
    }
  });
});
