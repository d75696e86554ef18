/** The handlers of all operations, by operationId. */

import { ReadableData } from "../access/readable-data.js";
import { ZarrAccess } from "../access/zarr-access.js";
import type { Handlers } from "../contract/operation.js";
import { countYears, listBoxes } from "./aggregation/boxes-and-years.js";
import { cite, citeBibtex, citeCsl } from "./aggregation/cite.js";
import { explain } from "./aggregation/explain.js";
import { findComplete } from "./aggregation/find-complete.js";
import { listDatasets } from "./aggregation/list-datasets.js";
import { showCoverage, showCoverageCsv } from "./aggregation/show-coverage.js";
import { summarize } from "./aggregation/summarize.js";
import { createIntakeCatalogue } from "./catalogues/create-intake-catalogue.js";
import { createStacCatalogue } from "./catalogues/create-stac-catalogue.js";
import {
  createZarrCatalogue,
  listStreams,
  loadData,
  loadDataByKey,
} from "./catalogues/load-data.js";
import { downloadCart } from "./downloads/download-cart.js";
import { downloadData, downloadMetalink } from "./downloads/download-data.js";
import { readFile, readSharedFile } from "./files/read-file.js";
import {
  addFlavour,
  changeFlavour,
  deleteFlavour,
  listFlavours,
} from "./flavours/manage-flavours.js";
import { authorize, signIn } from "./identity/authorize.js";
import { introspectToken, revokeToken } from "./identity/introspection.js";
import { issueToken } from "./identity/issue-token.js";
import { describeIssuer, jwks } from "./identity/issuer-metadata.js";
import { createScriptToken, endScriptToken, listScriptTokens } from "./identity/script-tokens.js";
import { tokenStatus, userInfo } from "./identity/token-status.js";
import { getOverview } from "./search/get-overview.js";
import { searchData } from "./search/search-data.js";
import {
  searchExtended,
  searchExtendedCsv,
  searchExtendedParquet,
} from "./search/search-extended.js";
import { searchMetadata } from "./search/search-metadata.js";
import { suggest } from "./search/suggest.js";
import { metrics, ping, ready, showStatus } from "./service/health.js";
import type { Services } from "./services.js";
import {
  postStacAggregate,
  postStacCollectionAggregate,
  stacAggregate,
  stacAggregations,
  stacCollectionAggregate,
  stacCollectionAggregations,
} from "./stac/aggregate.js";
import { stacCollection, stacCollections } from "./stac/collections.js";
import { stacApi, stacConformance, stacLanding } from "./stac/landing.js";
import { stacCollectionQueryables, stacQueryables } from "./stac/queryables.js";
import { postStacSearch, stacItems, stacSearch } from "./stac/search-items.js";
import { stacItem } from "./stac/show-item.js";
import { addUserData } from "./user-data/add-user-data.js";
import { deleteUserData } from "./user-data/delete-user-data.js";
import { joinData } from "./zarr/join-data.js";
import { previewData } from "./zarr/preview-data.js";
import { readParquetReferences, readReferences } from "./zarr/read-references.js";
import { readSharedZarr, readZarr } from "./zarr/read-zarr.js";
import { shareZarr, unshareZarr } from "./zarr/share-zarr.js";
import { showJoinPlan } from "./zarr/show-join-plan.js";
import { showSharedZarr, showZarr, showZarrOfAddress } from "./zarr/show-zarr.js";

/** Creates the handlers over the services that they use. */
export function createHandlers(services: Services): Handlers {
  const access = new ZarrAccess(services);
  const readable = new ReadableData(services);
  return {
    getOverview: getOverview(services),
    downloadCart: downloadCart(services, access),
    listFlavours: listFlavours(services),
    addFlavour: addFlavour(services),
    changeFlavour: changeFlavour(services),
    deleteFlavour: deleteFlavour(services),
    searchData: searchData(services),
    downloadData: downloadData(services),
    downloadMetalink: downloadMetalink(services),
    searchMetadata: searchMetadata(services),
    searchExtended: searchExtended(services),
    searchExtendedCsv: searchExtendedCsv(services),
    searchExtendedParquet: searchExtendedParquet(services),
    summarize: summarize(services),
    suggest: suggest(services),
    explain: explain(services),
    findComplete: findComplete(services),
    showCoverage: showCoverage(services),
    showCoverageCsv: showCoverageCsv(services),
    listBoxes: listBoxes(services),
    countYears: countYears(services),
    cite: cite(services),
    citeBibtex: citeBibtex(services),
    citeCsl: citeCsl(services),
    listDatasets: listDatasets(services, readable),
    createIntakeCatalogue: createIntakeCatalogue(services),
    createStacCatalogue: createStacCatalogue(services),
    loadData: loadData(services, access, readable),
    loadDataByKey: loadDataByKey(services, access, readable),
    listStreams: listStreams(services, readable),
    createZarrCatalogue: createZarrCatalogue(services),
    joinData: joinData(services, access),
    showJoinPlan: showJoinPlan(access),
    readZarr: readZarr(services, access),
    readFile: readFile(services, access),
    readSharedFile: readSharedFile(services, access),
    readReferences: readReferences(access),
    readParquetReferences: readParquetReferences(access),
    previewData: previewData(services, access),
    showZarr: showZarr(access),
    showZarrOfAddress: showZarrOfAddress(access),
    shareZarr: shareZarr(services, access),
    unshareZarr: unshareZarr(services),
    showSharedZarr: showSharedZarr(services, access),
    readSharedZarr: readSharedZarr(services, access),
    stacLanding: stacLanding(services),
    stacConformance: stacConformance(),
    stacApi: stacApi(services),
    stacCollections: stacCollections(services),
    stacCollection: stacCollection(services),
    stacItems: stacItems(services),
    stacItem: stacItem(services),
    stacSearch: stacSearch(services),
    postStacSearch: postStacSearch(services),
    stacQueryables: stacQueryables(services),
    stacCollectionQueryables: stacCollectionQueryables(services),
    stacAggregations: stacAggregations(services),
    stacCollectionAggregations: stacCollectionAggregations(services),
    stacAggregate: stacAggregate(services),
    postStacAggregate: postStacAggregate(services),
    stacCollectionAggregate: stacCollectionAggregate(services),
    postStacCollectionAggregate: postStacCollectionAggregate(services),
    addUserData: addUserData(services),
    deleteUserData: deleteUserData(services),
    authorize: authorize(services),
    signIn: signIn(services),
    issueToken: issueToken(services),
    listScriptTokens: listScriptTokens(services),
    createScriptToken: createScriptToken(services),
    endScriptToken: endScriptToken(services),
    tokenStatus: tokenStatus(),
    userInfo: userInfo(),
    revokeToken: revokeToken(services),
    introspectToken: introspectToken(services),
    jwks: jwks(services),
    openidConfiguration: describeIssuer(services),
    authorizationServerMetadata: describeIssuer(services),
    authorizationServerMetadataAtRoot: describeIssuer(services),
    ping: ping(),
    ready: ready(services),
    showStatus: showStatus(services),
    metrics: metrics(services),
  };
}
