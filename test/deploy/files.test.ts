/** The files of deploy/ that no engine runs here: a container file, a compose file, a chart. What can be said of them as they are. */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { packagePath } from "../../src/platform/package-root.js";

const read = (...path: string[]): string => readFileSync(packagePath("deploy", ...path), "utf8");
const SETTINGS = new Set(
  [...readFileSync(packagePath(".env.example"), "utf8").matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(
    ([, name]) => name ?? "",
  ),
);
/** What is no setting of the service, but of Node, of Java, of a container. */
const OTHERS = ["NODE_ENV", "NODE_EXTRA_CA_CERTS", "HOME", "JAVA_HOME", "XDG_CACHE_HOME"];
const unknown = (names: readonly string[]): string[] =>
  names.filter((name) => !SETTINGS.has(name) && !OTHERS.includes(name));

describe("the container file", () => {
  const lines = read("Containerfile").replaceAll(/\\\n/g, " ").split("\n");
  const of = (instruction: string): string[] =>
    lines
      .filter((line) => line.startsWith(`${instruction} `))
      .map((line) => line.slice(instruction.length + 1));
  /** From where the last image begins: stages that it is not made from do not count. */
  const last = lines.slice(lines.findIndex((line) => / AS service$/.test(line)));

  it("names no registry, and no image without a version", () => {
    const images = of("ARG")
      .filter((line) => /IMAGE=/.test(line))
      .map((line) => line.split("=")[1] ?? "");
    expect(images.length).toBeGreaterThan(1);
    for (const image of images) {
      expect(image).toMatch(/^[a-z]+:[\w.-]+$/);
      expect(image).not.toMatch(/latest/);
    }
    const stages = of("FROM").map((line) => / AS (\S+)/.exec(line)?.[1]);
    for (const line of of("FROM")) {
      const [from = ""] = line.split(" ");
      expect(from.startsWith("${") || stages.includes(from), from).toBe(true);
    }
  });

  it("runs as a user by number, has a health check of readiness, and ends by SIGTERM", () => {
    const users = last.filter((line) => line.startsWith("USER "));
    expect(users).toEqual(["USER 10001:10001"]);
    // Nothing is done as this user that has to be root's, nor made the user's but the state.
    expect(last.filter((line) => /^(?:COPY|ADD) .*--chown|chmod .*777/.test(line))).toEqual([]);
    expect(
      last.some((line) => line.startsWith("VOLUME ") && line.includes("/var/lib/climate-nextgen")),
    ).toBe(true);
    expect(last.some((line) => line.startsWith("HEALTHCHECK ") && line.includes("/ready"))).toBe(
      true,
    );
    expect(last).toContain("STOPSIGNAL SIGTERM");
    for (const name of ["ENTRYPOINT", "CMD"]) {
      for (const line of last.filter((one) => one.startsWith(`${name} `))) {
        expect(() => JSON.parse(line.slice(name.length + 1)), "without a shell").not.toThrow();
      }
    }
    expect(of("ADD")).toEqual([]);
  });

  it("installs what it names and nothing more, and leaves no lists behind", () => {
    for (const line of of("RUN").filter((one) => one.includes("apt-get install"))) {
      expect(line).toContain("--no-install-recommends");
      expect(line).toContain("rm -rf /var/lib/apt/lists/*");
    }
    for (const line of of("RUN").filter((one) => /npm ci/.test(one))) {
      expect(line).toContain("--ignore-scripts");
    }
  });

  it("has all that the package has, and only known settings", () => {
    const { files } = JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as {
      files: string[];
    };
    const copied = last.filter((line) => line.startsWith("COPY ")).join("\n");
    const wanted = files
      .filter((name) => !/^!|\.env|\.md$|^(?:deploy|docs)$/.test(name))
      .map((name) => name.split("/")[0] ?? "");
    for (const name of new Set(wanted)) expect(copied).toContain(`/opt/climate-nextgen/${name}`);
    const names = of("ENV").flatMap((line) =>
      line.split(" ").map((one) => one.split("=")[0] ?? ""),
    );
    expect(unknown(names)).toEqual([]);
  });
});

type Compose = {
  services: Record<
    string,
    {
      image: string;
      environment?: Record<string, string>;
      read_only?: boolean;
      cap_drop?: string[];
    }
  >;
};

describe("the compose file", () => {
  const { services } = parse(read("compose.yaml"), { merge: true }) as Compose;

  it("has two instances with few rights, a proxy and three nodes of Solr", () => {
    const names = Object.keys(services);
    expect(names).toEqual(expect.arrayContaining(["proxy", "climate-1", "climate-2", "zookeeper"]));
    expect(names.filter((name) => name.startsWith("solr-"))).toHaveLength(3);
    for (const name of ["climate-1", "climate-2", "setup"]) {
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    }
  });

  it("has only known settings, no registry, and no password of its own", () => {
    for (const [name, { image, environment }] of Object.entries(services)) {
      expect(image, name).toMatch(/^\$\{[A-Z_]*IMAGE:-(?:[a-z]+\/)?[a-z-]+:[\w.]+\}$/);
      for (const [key, value] of Object.entries(environment ?? {})) {
        if (/PASSWORD|KEY/.test(key)) expect(value, key).toMatch(/^\$\{[A-Z_]+:\?\}$/);
      }
    }
    expect(unknown(Object.keys(services["climate-1"]?.environment ?? {}))).toEqual([]);
  });
});

const CHART = ["helm", "climate-nextgen"];
const hasHelm = spawnSync("helm", ["version"]).status === 0;
if (!hasHelm) console.warn("helm is not here: the chart is looked at, but not rendered.");

describe("the chart", () => {
  const values = parse(read(...CHART, "values.yaml")) as Record<string, unknown>;
  const folder = packagePath("deploy", ...CHART, "templates");
  const templates = readdirSync(folder).map(
    (name) => [name, readFileSync(join(folder, name), "utf8")] as const,
  );

  it.each(templates)("uses only known values, and closes what it opens: %s", (_, text) => {
    for (const [, path = ""] of text.matchAll(/\.Values\.([\w.]+)/g)) {
      let value: unknown = values;
      for (const part of path.split(".")) {
        expect(value, path).toHaveProperty(part);
        value = (value as Record<string, unknown>)[part];
      }
    }
    const blocks = [...text.matchAll(/\{\{-? ?(if|range|with|define|end)\b/g)].map(
      ([, word]) => word,
    );
    expect(blocks.filter((word) => word === "end").length * 2).toBe(blocks.length);
  });

  it("has only known settings, and its secrets from a Secret", () => {
    const text = templates.find(([name]) => name === "deployment.yaml")?.[1] ?? "";
    const names = [...text.matchAll(/name: ([A-Z][A-Z_]+)\b/g)].map(([, name]) => name ?? "");
    expect(names.length).toBeGreaterThan(6);
    expect(unknown(names)).toEqual([]);
    for (const name of ["SOLR_PASSWORD", "STATE_KEY"]) {
      expect(text).toMatch(new RegExp(`name: ${name}\\n\\s+valueFrom: \\{ secretKeyRef`));
    }
  });

  it.skipIf(!hasHelm)("is rendered into valid Kubernetes objects, with a path and without", () => {
    const render = (...more: string[]) =>
      parseAllDocuments(
        execFileSync("helm", ["template", "x", packagePath("deploy", ...CHART), ...more], {
          encoding: "utf8",
        }),
      ).map((document) => {
        expect(document.errors).toEqual([]);
        return document.toJS() as { kind: string; spec: Record<string, unknown> };
      });
    const data = [
      "--set",
      "data[0].name=pool,data[0].mountPath=/pool,data[0].volume.emptyDir.sizeLimit=1Gi",
    ];
    const all = render(...data, "--set", "solr.caConfigMap=ca");
    const kinds = [
      "Deployment",
      "Service",
      "ServiceAccount",
      "PodDisruptionBudget",
      "Ingress",
      "NetworkPolicy",
    ];
    expect(all.map(({ kind }) => kind).sort()).toEqual(kinds.sort());
    const paths = (rendered: typeof all) =>
      JSON.stringify(rendered.find(({ kind }) => kind === "Ingress")).match(/"path":"[^"]*"/g);
    expect(paths(all)).toEqual([
      '"path":"/climate"',
      '"path":"/.well-known/oauth-authorization-server/climate"',
    ]);
    expect(paths(render("--set", "baseUrl=https://data.example.org"))).toEqual(['"path":"/"']);
  });
});
