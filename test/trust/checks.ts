/** What this service is trusted for, and the tests that try each of it. `npm run trust` runs them and counts. */

export const SUBJECTS = ["tokens", "api", "solr", "user-data", "files", "server"] as const;
export type Subject = (typeof SUBJECTS)[number];

export interface Check {
  readonly number: number;
  readonly subject: Subject;
  /** What must hold, in one sentence. */
  readonly holds: string;
  /** How often it is meant to be tried. */
  readonly goal: string;
  /** The files that try it, each with the titles of its tests, or of groups of them, as they stand in the source. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
  /** What is known to be less, or otherwise, than the sentence says. */
  readonly remark?: string;
}

const tokens: readonly Omit<Check, "subject">[] = [
  {
    number: 1,
    holds: "A refresh token that is used a second time ends its family.",
    goal: "1,000 replays",
    tests: { "test/identity/refresh.solr.test.ts": ["end all of their families"] },
  },
  {
    number: 2,
    holds: "If one token is refreshed in parallel on two instances, one request gets a successor.",
    goal: "50 at once",
    tests: {
      "test/identity/refresh.solr.test.ts": [
        "make one successor on two instances",
        "leave a living successor if they arrive together (%d)",
      ],
    },
  },
  {
    number: 3,
    holds: "A refresh that is killed at any point leaves at most one valid token.",
    goal: "10 points x 20",
    tests: {
      "test/attack/identity/refresh-kills.slow.test.ts": [
        "a killed refresh leaves at most one live token",
      ],
      "test/identity/refresh.solr.test.ts": ["a process killed between any two steps of a refresh"],
    },
  },
  {
    number: 4,
    holds: "A token that was changed in any way is refused.",
    goal: "100,000 tokens",
    tests: {
      "test/attack/identity/forged-tokens.test.ts": [
        "is refused, wherever in text, JSON or signature it was changed",
        "is accepted at most as itself with the other signature that the same key could have made",
      ],
    },
  },
  {
    number: 5,
    holds: "A key id that is a path, or very long, is 401 and opens no file.",
    goal: "a corpus",
    tests: {
      "test/attack/identity/forged-tokens.test.ts": [
        "opens no file if it leads to a key elsewhere, or is a megabyte long",
      ],
      "test/identity/sign-in/attacks.solr.test.ts": ["is refused with the key id %j"],
    },
  },
  {
    number: 6,
    holds: "A token that contains its own key, or the URL of one, is 401, and nothing is fetched.",
    goal: "0 connections",
    tests: {
      "test/identity/sign-in/attacks.solr.test.ts": [
        "is refused if it contains or names its own key, and nothing is fetched",
      ],
    },
  },
  {
    number: 7,
    holds: "A token of one kind is refused as a token of another kind.",
    goal: "each kind",
    tests: {
      "test/identity/refresh.solr.test.ts": ["is no access token, and no access token is one"],
      "test/identity/outside/outside.solr.test.ts": [
        "is refused if it is forged or of another kind, without more than one request for keys",
      ],
    },
  },
  {
    number: 8,
    holds: "A token of another issuer, audience or type is 401, even if the right key signed it.",
    goal: "each claim",
    tests: {
      "test/attack/identity/forged-tokens.test.ts": [
        "is refused for another type, issuer, audience or algorithm, signed by the right key",
      ],
      "test/identity/access-tokens.test.ts": ["is refused with %s"],
    },
  },
  {
    number: 9,
    holds: "A token becomes valid and expires at its exact second.",
    goal: "to 1 s",
    tests: {
      "test/attack/identity/forged-tokens.test.ts": [
        "becomes valid and expires at its millisecond, whether it was seen before or not",
      ],
      "test/identity/access-tokens.test.ts": [
        "lives no longer than its kind, and was issued no later than the clocks' difference",
      ],
    },
  },
  {
    number: 10,
    holds: "For invented key ids the service asks the provider at most once per cooldown.",
    goal: "10,000 key ids",
    tests: {
      "test/identity/outside/outside.solr.test.ts": [
        "is refused if it is forged or of another kind, without more than one request for keys",
      ],
      "test/identity/shared-accounts.slow.test.ts": [
        "are looked up when an unknown one is used, and invented ids cost few requests",
      ],
    },
  },
  {
    number: 11,
    holds:
      "While the provider is down, local accounts sign in, and its tokens are verified or 503 within 1 s.",
    goal: "1 s",
    tests: {
      "test/identity/outside/outside.solr.test.ts": [
        "are verified with the known keys, and sign-ins are 503",
      ],
      "test/attack/identity/sign-in.alone.test.ts": [
        "is not delayed by a provider that hangs, though its permits and its queue are full",
      ],
    },
  },
  {
    number: 12,
    holds: "Body, status and time do not reveal whether a name exists.",
    goal: "medians within 2%",
    tests: {
      "test/identity/sign-in/limits.alone.test.ts": ["takes as long as a wrong password"],
      "test/attack/identity/sign-in.alone.test.ts": [
        "is not revealed by body, status or limit while the provider %s",
      ],
    },
  },
  {
    number: 13,
    holds:
      "After ten wrong passwords a name gets 429 at the address that sent them, also after a restart.",
    goal: "10 passwords",
    tests: {
      "test/identity/sign-in/limits.alone.test.ts": [
        "are limited for one name at one address, with Retry-After, and nobody else is locked out",
      ],
      "test/identity/sign-in/limiter.solr.test.ts": [
        "may fail a number of times in a window, on all instances, and is then not checked",
        "is limited also if many come at once",
      ],
      "test/identity/instances.solr.test.ts": ["count failed sign-ins together"],
    },
  },
  {
    number: 14,
    holds: "A revoked token is refused at once, and on other instances within seconds.",
    goal: "1 s",
    tests: {
      "test/attack/identity/tokens.solr.test.ts": [
        "is not accepted again, at whatever moment of the renewal it was revoked",
      ],
      "test/identity/instances.solr.test.ts": [
        "accept each other's tokens: status, introspection, refresh and revocation",
      ],
    },
  },
  {
    number: 15,
    holds: "No log and no file contains a password, token, ticket or client secret.",
    goal: "0 secrets",
    tests: {
      "test/identity/sign-in/limits.alone.test.ts": [
        "has no secret, whatever goes wrong, nor has any file of the service or of Solr",
      ],
      "test/attack/identity/shares.solr.test.ts": ["is in no log, however its path is spelled"],
    },
  },
  {
    number: 16,
    holds: "No request fails during a rotation of the keys.",
    goal: "1,000 requests",
    tests: { "test/identity/instances.solr.test.ts": ["fails no request of two instances"] },
  },
  {
    number: 17,
    holds: "Nobody can start a sign-in through the external provider for another person.",
    goal: "state, nonce",
    tests: {
      "test/identity/outside/outside.solr.test.ts": [
        "is refused for another audience",
        "gets 401 for a wrong password or a wrong refresh token",
      ],
      "test/identity/outside/authorize-outside.solr.test.ts": [
        "a code of the provider is accepted from the page alone, with the verifier of its request",
      ],
      "test/web/account.browser.test.ts": [
        "an answer that this tab did not request signs nobody in, and leaves the address",
      ],
    },
    remark:
      "Each tab has its own state and verifier (S256) for its request. No ID token is used, so there is no nonce.",
  },
  {
    number: 18,
    holds: "Refresh tokens are stored as hashes, and only their owner can read key files.",
    goal: "0600",
    tests: {
      "test/identity/refresh.solr.test.ts": ["is stored only as a hash"],
      "test/identity/token.solr.test.ts": ["are readable by their owner alone"],
    },
  },
];

const api: readonly Omit<Check, "subject">[] = [
  {
    number: 19,
    holds:
      "No request generated from the contract, valid or not, gets a 5xx or an answer outside the contract.",
    goal: "10,000 cases x 3 seeds",
    tests: {
      "test/server/contract/schemathesis.slow.test.ts": [
        "finds no answer outside the contract, for valid and invalid requests of all operations",
      ],
    },
  },
  {
    number: 20,
    holds: "Every refusal is problem+json and reveals no internals.",
    goal: "each status",
    tests: {
      "test/server/search/search.solr.test.ts": ["a refused request"],
      "test/attack/connections/refusals.solr.test.ts": ["malformed requests"],
      "test/attack/connections/bodies.alone.test.ts": ["a body"],
    },
  },
  {
    number: 21,
    holds: "For any text, a parser returns what an oracle returns, or refuses it by name.",
    goal: "100,000 values a parser",
    tests: {
      "test/attack/files/hostile-keys.slow.test.ts": [
        "a range of a chunk is exactly its bytes, whatever range and conditions are sent",
      ],
      "test/attack/text/parsers.test.ts": ["parsers, given any text"],
      "test/server/contract/query-forms.test.ts": ["are the same in every form, whatever they are"],
      "test/attack/files/documents.alone.test.ts": [
        "is read as JSON.parse reads it: random documents with bare tokens, quotes and backslashes",
      ],
      "test/server/search/time-and-region.solr.test.ts": [
        "is right for any two years between -30000 and 30000, truncated anywhere",
      ],
    },
  },
  {
    number: 22,
    holds: "Every regular expression takes time linear in its input.",
    goal: "recheck; 100 kB in 50 ms",
    tests: {
      "test/attack/text/regular-expressions.slow.test.ts": [
        "takes time in proportion to its input",
      ],
      "test/attack/text/operations.solr.test.ts": [
        "refuses a long text as a period or box at once: %j",
        "answers long headers at once, and without an error of its own: %s",
      ],
      "test/attack/text/text.solr.test.ts": ["a long text"],
    },
  },
];

const solr: readonly Omit<Check, "subject">[] = [
  {
    number: 23,
    holds:
      "A search finds exactly the documents that have the value, whatever characters it contains.",
    goal: "100,000 values",
    tests: {
      "test/attack/solr/solr-values.slow.test.ts": ["a search over two shards"],
      "test/server/search/search.solr.test.ts": [
        "treat every other character literally, so nothing is query syntax",
      ],
    },
  },
  {
    number: 24,
    holds: "A key that is not a facet is 422, and Solr is not asked.",
    goal: "0 requests to Solr",
    tests: {
      "test/attack/text/operations.solr.test.ts": [
        "refuses keys that it does not have, without a request to Solr: %s",
      ],
    },
  },
  {
    number: 25,
    holds: "No text from a client becomes a parameter of a request to Solr.",
    goal: "0 parameters",
    tests: {
      "test/attack/solr/solr-faults.solr.test.ts": [
        "stays a value: it becomes no parameter, field, order or handler of Solr",
      ],
      "test/attack/solr/solr-values.slow.test.ts": [
        "finds exactly the document that has a value, and all others if it is excluded",
      ],
    },
  },
  {
    number: 26,
    holds: "start=N skips exactly the first N results.",
    goal: "0, 1, 149, 150, 151, 10^6",
    tests: {
      "test/server/lists/faults.alone.test.ts": ["gets exactly the rest for any start"],
      "test/attack/solr/solr-complex.solr.test.ts": ["an offset"],
    },
  },
  {
    number: 27,
    holds: "If Solr is killed during a list or catalogue, the transfer breaks or is complete.",
    goal: "100 kills",
    tests: {
      "test/attack/solr/solr-kills.slow.test.ts": [
        "a killed Solr leaves no list and no catalogue that looks complete and is not",
      ],
      "test/server/lists/faults.alone.test.ts": ["a Solr stream that breaks off"],
    },
  },
  {
    number: 28,
    holds:
      "If Solr refuses, fails, stalls or answers wrongly in the middle of a list, the transfer breaks.",
    goal: "each fault, each page",
    tests: {
      "test/attack/solr/solr-faults.solr.test.ts": ["a faulty answer of Solr"],
      "test/server/lists/faults.alone.test.ts": ["a Solr stream that breaks off"],
      "test/attack/connections/broken-transfers.slow.test.ts": ["a list that breaks off"],
    },
  },
  {
    number: 29,
    holds:
      "While Solr is down, a search is 503 within 1 s. It is served again within 2 s of Solr's return.",
    goal: "1 s, 2 s",
    tests: {
      "test/server/lists/faults.alone.test.ts": [
        "is 503 with Retry-After within a second, and ping answers",
        "is used again as soon as it is back",
      ],
      "test/attack/solr/solr-recovery.slow.test.ts": [
        "is back within 5 s with all that it acknowledged",
      ],
    },
  },
  {
    number: 30,
    holds: "If Solr hangs, the answer is 503 by the deadline.",
    goal: "the deadline",
    tests: {
      "test/server/lists/faults.alone.test.ts": [
        "is 503 by the deadline if it accepts but never answers",
      ],
    },
  },
  {
    number: 31,
    holds: "If a client disconnects, Solr's work ends within 1 s and nothing remains.",
    goal: "10,000 cancels",
    tests: {
      "test/attack/connections/cancelled.alone.test.ts": [
        "cancelled requests leave no socket, no handle, no open file and no request of Solr",
      ],
      "test/server/lists/faults.alone.test.ts": [
        "ends Solr's work within a second when it leaves (%s)",
      ],
      "test/server/lists/leaving.solr.test.ts": [
        "leave neither an error nor a 5xx in the log, and free their permits",
      ],
    },
  },
  {
    number: 49,
    holds:
      "If nodes of a SolrCloud are killed or frozen, one or two at once, every replica keeps what was acknowledged, and nothing deleted returns.",
    goal: "100 faults",
    tests: {
      "test/index/cloud/writes.alone.test.ts": [
        "leaves all that was acknowledged, the same on every replica",
        "never leaves two live tokens of one family, and ends none but by a refusal",
      ],
    },
    remark: "With two replicas of each shard on three nodes.",
  },
];

const userData: readonly Omit<Check, "subject">[] = [
  {
    number: 32,
    holds: "If a registration or deletion is killed anywhere, the same request completes it.",
    goal: "200 kills",
    tests: {
      "test/server/user-data/kills.slow.test.ts": ["a service $name, killed at any point"],
      "test/server/user-data/proof.slow.test.ts": [
        "a connection to Solr that is cut at any point of a request",
      ],
    },
  },
  {
    number: 33,
    holds: "Fifty identical registrations at once create one document.",
    goal: "50 at once",
    tests: { "test/server/user-data/proof.slow.test.ts": ["fifty identical requests at once"] },
  },
  {
    number: 34,
    holds: "From a body with an invalid entry nothing is stored, or the answer says what was.",
    goal: "each entry",
    tests: {
      "test/server/user-data/add.solr.test.ts": ["an invalid body"],
      "test/server/user-data/failures.slow.test.ts": ["a Solr that refuses requests"],
    },
  },
  {
    number: 35,
    holds: "No key in a body changes the owner of a document.",
    goal: "each key",
    tests: {
      "test/server/user-data/add.solr.test.ts": [
        "belong to the token's user, whatever facets and metadata say",
      ],
    },
  },
  {
    number: 36,
    holds: "No deletion removes a document of another user or of the public catalogue.",
    goal: "10,000 deletions",
    tests: {
      "test/server/user-data/proof.slow.test.ts": [
        "never remove a document of another user, nor of the public catalogue",
      ],
    },
  },
  {
    number: 37,
    holds: "A write that Solr refuses or does not acknowledge is never 2xx.",
    goal: "each refusal",
    tests: {
      "test/server/user-data/failures.slow.test.ts": [
        "a Solr that refuses requests",
        "a Solr that is away",
      ],
    },
  },
];

const files: readonly Omit<Check, "subject">[] = [
  {
    number: 38,
    holds: "No key, path, link or registered name returns a byte from outside the data roots.",
    goal: "a corpus",
    tests: {
      "test/attack/files/hostile-keys.slow.test.ts": [
        "a key gives only what the store has under it",
      ],
      "test/attack/files/reading.slow.test.ts": ["a swapped link", "a store"],
      "test/server/user-data/owners.test.ts": ["the rule of registration"],
      "test/attack/solr/registering.slow.test.ts": [
        "is refused in every spelling if it is another user's, with its index, and nothing is stored",
      ],
    },
  },
  {
    number: 39,
    holds: "No name, URL or header makes the service open a connection.",
    goal: "0 connections",
    tests: {
      "test/attack/files/hostile-keys.slow.test.ts": [
        "no name, address or header makes the service connect to anything",
      ],
      "test/identity/sign-in/attacks.solr.test.ts": [
        "is refused if it contains or names its own key, and nothing is fetched",
      ],
    },
  },
  {
    number: 40,
    holds: "Data of another user are 403, both metadata and chunks.",
    goal: "each way",
    tests: { "test/attack/files/reading.slow.test.ts": ["another user's data"] },
  },
  {
    number: 41,
    holds:
      "A damaged file is read correctly or refused, below 512 MB and 5 s, and no process dies.",
    goal: "50,000 files",
    remark:
      "Read correctly: as HDF5 and netCDF-C read the damaged file. HDF5 before 1.8 and NetCDF-3 have no checksums, so that damage may look like other contents. No damage ended a process or exceeded the bounds.",
    tests: {
      "test/attack/files/damage.slow.test.ts": [
        "a file with random damage",
        "a small file that claims to be large",
      ],
      "test/attack/files/damaged-data.slow.test.ts": [
        "answers a damaged file with an error or with what its reader reads, and never with 404 for a failure",
      ],
      "test/attack/files/decoders.slow.test.ts": ["a damaged chunk"],
    },
  },
  {
    number: 42,
    holds: "Names in an archive stay inside it, whatever the names of documents are.",
    goal: "a corpus",
    tests: {
      "test/server/lists/catalogues.solr.test.ts": [
        "make a STAC catalogue that pystac reads and validates offline",
      ],
      "test/server/formats/zip.test.ts": ["a zip archive"],
    },
  },
];

const server: readonly Omit<Check, "subject">[] = [
  {
    number: 43,
    holds: "Slow readers delay nobody, and their memory is bounded.",
    goal: "10,000 readers below 400 MB",
    tests: {
      "test/attack/connections/slow-readers.alone.test.ts": [
        "use bounded memory, delay nobody, and get the complete list when they read on",
      ],
      "test/attack/connections/connections.slow.test.ts": ["a client that does not read"],
      "test/attack/solr/solr-load.alone.test.ts": ["lists"],
      "test/server/lists/transfers.slow.test.ts": [
        "holds bounded memory for a client that does not read",
      ],
    },
  },
  {
    number: 44,
    holds: "A client that sends nothing, or slowly, is disconnected in time and blocks nobody.",
    goal: "5,000 connections",
    tests: {
      "test/attack/connections/slow-senders.alone.test.ts": [
        "slow senders are closed in time and keep nobody waiting",
      ],
      "test/attack/connections/connections.slow.test.ts": ["connections that send nothing"],
    },
  },
  {
    number: 45,
    holds: "A body is bounded in bytes, depth and number of values: 413 or 400, in bounded memory.",
    goal: "each bound",
    tests: {
      "test/attack/connections/bodies.alone.test.ts": ["a body", "the largest body"],
      "test/server/user-data/add.solr.test.ts": [
        "is 413 if it is too large, in files, in bytes, and in chunks of unknown length",
      ],
    },
  },
  {
    number: 46,
    holds:
      "On a stop signal the service completes its lists or breaks them, and ends with status 0.",
    goal: "100 streams",
    tests: {
      "test/attack/connections/ends.alone.test.ts": [
        "completes or breaks off each of a hundred lists, and none looks complete that is not",
      ],
      "test/cli/start/workers.slow.test.ts": [
        "lets lists of all workers complete, and leaves nothing behind",
      ],
      "test/cli/start/serve.slow.test.ts": [
        "stops service and Solr with status 0 and leaves nothing behind",
      ],
      "test/attack/connections/broken-transfers.slow.test.ts": [
        "breaks the transfer if the service is stopped in the middle",
      ],
    },
  },
  {
    number: 47,
    holds:
      "A full disk, missing descriptors or a wrong setting is reported, and the service recovers when the cause is gone.",
    goal: "each",
    tests: {
      "test/attack/connections/ends.alone.test.ts": [
        "stays alive, reports the cause, answers nothing wrong and recovers",
      ],
      "test/attack/solr/solr-recovery.slow.test.ts": ["a full disk"],
      "test/cli/refusals.slow.test.ts": ["a bad setting"],
    },
  },
  {
    number: 48,
    holds: "Tests notice changes of the code for queries, authentication and user data.",
    goal: "85% of mutants",
    tests: { "test/domain/query/search.test.ts": ["a search"] },
    remark: "`npm run mutate` counts the mutants; this is the first of the tests that it runs.",
  },
];

const of = (subject: Subject, some: readonly Omit<Check, "subject">[]): Check[] =>
  some.map((check) => ({ ...check, subject }));

export const CHECKS: readonly Check[] = [
  ...of("tokens", tokens),
  ...of("api", api),
  ...of("solr", solr),
  ...of("user-data", userData),
  ...of("files", files),
  ...of("server", server),
];
