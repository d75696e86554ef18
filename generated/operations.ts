// Made from openapi.yaml by `npm run generate`; never edited.
/** What an operation is, beside its request and its answers. */
export interface OperationTraits {
  /** Whether it needs an access token, or takes one beside other ways in. */
  readonly access: "public" | "optional" | "required";
  /** How large its answer may be: an answer of bounded size, or data of some kind. */
  readonly kind: "answer" | "list" | "catalogue" | "file" | "zarr" | "preview";
  /** Below the prefix, or at the root of the host. */
  readonly path: string;
  /** Whether it searches by groups of files. */
  readonly groups?: true;
  /** The event of the audit. */
  readonly audit?: string;
  /** The maximum of its body: its bytes, the elements of each array in it, and its nesting. */
  readonly body?: { readonly bytes: number; readonly entries?: number; readonly depth?: number };
  /** The status of invalid requests, if it is not 422. */
  readonly invalid?: 400;
}

const table = {
  getOverview: {"access":"optional","kind":"answer","path":"/databrowser/overview"},
  searchData: {"access":"optional","kind":"list","path":"/databrowser/data-search/{flavour}/{uniq_key}","groups":true},
  downloadData: {"access":"optional","kind":"list","path":"/databrowser/download/{flavour}/{uniq_key}","groups":true},
  downloadMetalink: {"access":"optional","kind":"list","path":"/databrowser/download/{flavour}/{uniq_key}/metalink","groups":true},
  searchMetadata: {"access":"optional","kind":"answer","path":"/databrowser/metadata-search/{flavour}/{uniq_key}"},
  summarize: {"access":"optional","kind":"answer","path":"/databrowser/summary/{flavour}/{uniq_key}"},
  explain: {"access":"optional","kind":"answer","path":"/databrowser/why/{flavour}/{uniq_key}"},
  suggest: {"access":"optional","kind":"answer","path":"/databrowser/suggest/{flavour}"},
  showCoverage: {"access":"optional","kind":"answer","path":"/databrowser/coverage/{flavour}"},
  showCoverageCsv: {"access":"optional","kind":"answer","path":"/databrowser/coverage/{flavour}/csv"},
  listBoxes: {"access":"optional","kind":"answer","path":"/databrowser/boxes/{flavour}"},
  countYears: {"access":"optional","kind":"answer","path":"/databrowser/years/{flavour}"},
  cite: {"access":"optional","kind":"list","path":"/databrowser/cite/{flavour}"},
  citeBibtex: {"access":"optional","kind":"list","path":"/databrowser/cite/{flavour}/bibtex"},
  citeCsl: {"access":"optional","kind":"list","path":"/databrowser/cite/{flavour}/csl"},
  listDatasets: {"access":"optional","kind":"answer","path":"/databrowser/datasets/{flavour}"},
  findComplete: {"access":"optional","kind":"answer","path":"/databrowser/complete/{flavour}","groups":true},
  searchExtended: {"access":"optional","kind":"list","path":"/databrowser/extended-search/{flavour}/{uniq_key}","groups":true},
  searchExtendedCsv: {"access":"optional","kind":"list","path":"/databrowser/extended-search/{flavour}/{uniq_key}/csv","groups":true},
  searchExtendedParquet: {"access":"optional","kind":"list","path":"/databrowser/extended-search/{flavour}/{uniq_key}/parquet","groups":true},
  createIntakeCatalogue: {"access":"optional","kind":"catalogue","path":"/databrowser/intake-catalogue/{flavour}/{uniq_key}","groups":true},
  createStacCatalogue: {"access":"optional","kind":"catalogue","path":"/databrowser/stac-catalogue/{flavour}/{uniq_key}","groups":true},
  downloadCart: {"access":"optional","kind":"catalogue","path":"/databrowser/cart/{flavour}/{uniq_key}","body":{"bytes":1048576,"entries":2000}},
  listFlavours: {"access":"optional","kind":"answer","path":"/databrowser/flavours"},
  addFlavour: {"access":"required","kind":"answer","path":"/databrowser/flavours","audit":"flavour-made","body":{"bytes":65536,"entries":1000}},
  changeFlavour: {"access":"required","kind":"answer","path":"/databrowser/flavours/{flavour}","audit":"flavour-changed","body":{"bytes":65536,"entries":1000}},
  deleteFlavour: {"access":"required","kind":"answer","path":"/databrowser/flavours/{flavour}","audit":"flavour-removed"},
  addUserData: {"access":"required","kind":"answer","path":"/databrowser/userdata","audit":"user-data-added","body":{"bytes":8388608,"entries":10000}},
  deleteUserData: {"access":"required","kind":"answer","path":"/databrowser/userdata","audit":"user-data-deleted","body":{"bytes":65536,"entries":1000}},
  authorize: {"access":"public","kind":"answer","path":"/auth/v2/authorize"},
  signIn: {"access":"public","kind":"answer","path":"/auth/v2/authorize","audit":"sign-in","body":{"bytes":16384}},
  issueToken: {"access":"public","kind":"answer","path":"/auth/v2/token","audit":"sign-in","body":{"bytes":16384}},
  tokenStatus: {"access":"required","kind":"answer","path":"/auth/v2/status"},
  userInfo: {"access":"required","kind":"answer","path":"/auth/v2/userinfo"},
  revokeToken: {"access":"public","kind":"answer","path":"/auth/v2/revoke","audit":"token-revoke","body":{"bytes":16384}},
  introspectToken: {"access":"optional","kind":"answer","path":"/auth/v2/introspect","audit":"token-introspect","body":{"bytes":16384}},
  listScriptTokens: {"access":"required","kind":"answer","path":"/auth/v2/script-tokens"},
  createScriptToken: {"access":"required","kind":"answer","path":"/auth/v2/script-tokens","audit":"script-token-made","body":{"bytes":65536,"entries":1000}},
  endScriptToken: {"access":"required","kind":"answer","path":"/auth/v2/script-tokens/{token_id}","audit":"script-token-ended"},
  jwks: {"access":"public","kind":"answer","path":"/auth/v2/jwks"},
  openidConfiguration: {"access":"public","kind":"answer","path":"/.well-known/openid-configuration"},
  authorizationServerMetadata: {"access":"public","kind":"answer","path":"/.well-known/oauth-authorization-server"},
  authorizationServerMetadataAtRoot: {"access":"public","kind":"answer","path":"/.well-known/oauth-authorization-server/api/climate-nextgen"},
  loadData: {"access":"required","kind":"list","path":"/databrowser/load/{flavour}"},
  loadDataByKey: {"access":"required","kind":"list","path":"/databrowser/load/{flavour}/{uniq_key}"},
  createZarrCatalogue: {"access":"required","kind":"catalogue","path":"/databrowser/load/{flavour}/{uniq_key}/intake"},
  listStreams: {"access":"required","kind":"list","path":"/databrowser/load/{flavour}/{uniq_key}/json"},
  joinData: {"access":"required","kind":"answer","path":"/data-portal/zarr/join","body":{"bytes":1048576,"entries":1000}},
  showZarr: {"access":"optional","kind":"answer","path":"/data-portal/zarr/{store}","audit":"read"},
  showJoinPlan: {"access":"optional","kind":"answer","path":"/data-portal/zarr/{store}/plan","audit":"read"},
  readZarr: {"access":"optional","kind":"zarr","path":"/data-portal/zarr/{store}/{key}","audit":"read"},
  readFile: {"access":"optional","kind":"file","path":"/data-portal/files/{id}/{file_name}","audit":"read"},
  readReferences: {"access":"optional","kind":"zarr","path":"/data-portal/references/{id}","audit":"read"},
  readParquetReferences: {"access":"optional","kind":"zarr","path":"/data-portal/references/{id}/parquet","audit":"read"},
  previewData: {"access":"optional","kind":"preview","path":"/data-portal/preview/{store}/{variable}","audit":"read"},
  showZarrOfAddress: {"access":"optional","kind":"answer","path":"/data-portal/zarr-utils/html","audit":"read"},
  shareZarr: {"access":"required","kind":"answer","path":"/data-portal/share-zarr","audit":"share-made","body":{"bytes":65536,"entries":1000}},
  unshareZarr: {"access":"required","kind":"answer","path":"/data-portal/share-zarr","audit":"share-ended","body":{"bytes":65536,"entries":1000}},
  readSharedFile: {"access":"public","kind":"file","path":"/data-portal/share/{ticket}/files/{id}/{file_name}","audit":"read"},
  showSharedZarr: {"access":"public","kind":"answer","path":"/data-portal/share/{ticket}/{store}","audit":"read"},
  readSharedZarr: {"access":"public","kind":"zarr","path":"/data-portal/share/{ticket}/{store}/{key}","audit":"read"},
  stacLanding: {"access":"optional","kind":"answer","path":"/stac"},
  stacConformance: {"access":"public","kind":"answer","path":"/stac/conformance"},
  stacApi: {"access":"public","kind":"answer","path":"/stac/api"},
  stacCollections: {"access":"optional","kind":"answer","path":"/stac/collections","invalid":400},
  stacCollection: {"access":"optional","kind":"answer","path":"/stac/collections/{collection}","invalid":400},
  stacItems: {"access":"optional","kind":"answer","path":"/stac/collections/{collection}/items","invalid":400},
  stacItem: {"access":"optional","kind":"answer","path":"/stac/collections/{collection}/items/{item}","invalid":400},
  stacSearch: {"access":"optional","kind":"answer","path":"/stac/search","invalid":400},
  postStacSearch: {"access":"optional","kind":"answer","path":"/stac/search","body":{"bytes":262144,"entries":2000,"depth":140},"invalid":400},
  stacQueryables: {"access":"optional","kind":"answer","path":"/stac/queryables"},
  stacCollectionQueryables: {"access":"optional","kind":"answer","path":"/stac/collections/{collection}/queryables","invalid":400},
  stacAggregations: {"access":"optional","kind":"answer","path":"/stac/aggregations"},
  stacCollectionAggregations: {"access":"optional","kind":"answer","path":"/stac/collections/{collection}/aggregations","invalid":400},
  stacAggregate: {"access":"optional","kind":"answer","path":"/stac/aggregate","invalid":400},
  postStacAggregate: {"access":"optional","kind":"answer","path":"/stac/aggregate","body":{"bytes":262144,"entries":2000,"depth":140},"invalid":400},
  stacCollectionAggregate: {"access":"optional","kind":"answer","path":"/stac/collections/{collection}/aggregate","invalid":400},
  postStacCollectionAggregate: {"access":"optional","kind":"answer","path":"/stac/collections/{collection}/aggregate","body":{"bytes":262144,"entries":2000,"depth":140},"invalid":400},
  ping: {"access":"public","kind":"answer","path":"/ping"},
  ready: {"access":"public","kind":"answer","path":"/ready"},
  showStatus: {"access":"public","kind":"answer","path":"/status"},
  metrics: {"access":"public","kind":"answer","path":"/metrics"},
} as const satisfies Record<string, OperationTraits>;

export type OperationName = keyof typeof table;
export type AccessOf<Name extends OperationName> = (typeof table)[Name]["access"];

export const OPERATIONS: Readonly<Record<OperationName, OperationTraits>> = table;
