/** The tested client generators: the tools and commands to generate, build and call each client. */
import type { Tool } from "./tools.js";

export interface Generator {
  /** Name of its folder below sdk/clients, and for `npm run sdk -- NAME`. */
  readonly name: string;
  readonly language: string;
  readonly tools: readonly Tool[];
  /** The contract document that it reads. */
  readonly document: "openapi.yaml" | "openapi.json" | "openapi-3.0.json";
  /** Generates the folder or file `client`; docs/sdk.md shows the same command. */
  readonly generate: string;
  readonly build?: string;
  /** Runs the program that calls the client, and prints its results as JSON. */
  readonly run: string;
  /** Files of sdk/clients that several programs share. */
  readonly shared?: readonly string[];
  /** Cheap enough to run with every `npm test`. */
  readonly everyTime?: true;
  /** Its program calls every search operation of the contract. */
  readonly callsAll?: true;
}

const CHECK_TYPES =
  "tsc --noEmit --strict --skipLibCheck --target es2022 --module preserve --types node main.ts";

const typescript = {
  language: "TypeScript",
  build: CHECK_TYPES,
  run: "tsx main.ts",
  shared: ["task.ts"],
};
const python = { language: "Python", run: "PYTHONPATH=client python main.py", shared: ["task.py"] };
const go = { language: "Go", build: "go build -o main .", run: "./main" };
const java = {
  language: "Java",
  build:
    "mvn -B -q -f client/pom.xml dependency:copy-dependencies -DincludeScope=compile -DoutputDirectory=../lib" +
    " && mkdir -p classes && javac -nowarn -encoding UTF-8 -cp 'lib/*' -d classes" +
    " $(find client/src/main -name '*.java') Main.java",
  run: "java -cp 'classes:lib/*' Main",
};
const rust = { language: "Rust", build: "cargo build --quiet", run: "cargo run --quiet" };

export const GENERATORS: readonly Generator[] = [
  {
    ...typescript,
    name: "typescript-fetch",
    tools: ["openapi-generator", "npm"],
    document: "openapi.yaml",
    generate: "openapi-generator-cli generate -g typescript-fetch -i openapi.yaml -o client",
    everyTime: true,
  },
  {
    ...python,
    name: "python",
    tools: ["openapi-generator", "python"],
    document: "openapi.yaml",
    generate:
      "openapi-generator-cli generate -g python -i openapi.yaml -o client --additional-properties=packageName=climate_client",
    everyTime: true,
  },
  {
    ...typescript,
    name: "openapi-fetch",
    tools: ["npm"],
    document: "openapi.yaml",
    generate: "openapi-typescript openapi.yaml -o client.d.ts",
    everyTime: true,
  },
  {
    ...typescript,
    name: "hey-api",
    tools: ["npm"],
    document: "openapi.yaml",
    generate: "openapi-ts -i ./openapi.yaml -o client",
    everyTime: true,
    callsAll: true,
  },
  {
    ...python,
    name: "openapi-python-client",
    tools: ["python"],
    document: "openapi.yaml",
    generate:
      "openapi-python-client generate --path openapi.yaml --config config.yaml --output-path client --overwrite",
    everyTime: true,
    callsAll: true,
  },
  {
    ...go,
    name: "go",
    tools: ["openapi-generator", "go"],
    document: "openapi.yaml",
    generate:
      "openapi-generator-cli generate -g go -i openapi.yaml -o client --additional-properties=packageName=climate,withGoMod=false",
  },
  {
    ...go,
    name: "oapi-codegen",
    tools: ["oapi-codegen"],
    document: "openapi-3.0.json",
    generate:
      "mkdir -p client && oapi-codegen -generate types,client -package climate -o client/client.go openapi-3.0.json",
    everyTime: true,
  },
  {
    ...java,
    name: "java-okhttp",
    tools: ["openapi-generator", "maven"],
    document: "openapi.yaml",
    generate:
      "openapi-generator-cli generate -g java --library okhttp-gson -i openapi.yaml -o client --additional-properties=useSingleRequestParameter=true",
  },
  {
    ...java,
    name: "java-native",
    tools: ["openapi-generator", "maven"],
    document: "openapi.yaml",
    generate:
      "openapi-generator-cli generate -g java --library native -i openapi.yaml -o client --additional-properties=useSingleRequestParameter=true",
  },
  {
    ...typescript,
    name: "orval",
    tools: ["npm"],
    document: "openapi.yaml",
    generate: "orval --config orval.config.ts",
  },
  {
    ...typescript,
    name: "oazapfts",
    tools: ["npm"],
    document: "openapi.yaml",
    generate: "oazapfts openapi.yaml client.ts",
  },
  {
    ...rust,
    name: "rust",
    tools: ["openapi-generator", "cargo"],
    document: "openapi.yaml",
    generate:
      "openapi-generator-cli generate -g rust -i openapi.yaml -o client --additional-properties=packageName=climate,supportAsync=false,useSingleRequestParameter=true" +
      " && sed -i.bak 's/^#\\[derive(Clone, Debug)\\]$/#[derive(Clone, Debug, Default)]/' client/src/apis/*_api.rs",
  },
  {
    ...rust,
    name: "progenitor",
    tools: ["progenitor"],
    document: "openapi-3.0.json",
    generate:
      "cargo progenitor -i openapi-3.0.json -o client -n climate -v 0.1.0 --interface builder",
  },
];
