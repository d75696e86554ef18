/** The handlers of all operations, by operationId. */

import { ZarrAccess } from "../access/zarr-access.js";
import type { Handlers } from "../contract/operation.js";
import { countYears, listBoxes } from "./aggregation/boxes-and-years.js";
import { explain } from "./aggregation/explain.js";
import { findComplete } from "./aggregation/find-complete.js";
import { listDatasets } from "./aggregation/list-datasets.js";
import { showCoverage } from "./aggregation/show-coverage.js";
import { summarize } from "./aggregation/summarize.js";
import { createIntakeCatalogue } from "./catalogues/create-intake-catalogue.js";
import { createStacCatalogue } from "./catalogues/create-stac-catalogue.js";
import { loadData, loadDataByKey } from "./catalogues/load-data.js";
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
import { downloadCart } from "./search/download-cart.js";
import { getOverview } from "./search/get-overview.js";
import { searchData } from "./search/search-data.js";
import { searchExtended } from "./search/search-extended.js";
import { searchMetadata } from "./search/search-metadata.js";
import { metrics, ping, ready, showStatus } from "./service/health.js";
import type { Services } from "./services.js";
import { addUserData } from "./user-data/add-user-data.js";
import { deleteUserData } from "./user-data/delete-user-data.js";
import { previewData } from "./zarr/preview-data.js";
import { readSharedZarr, readZarr } from "./zarr/read-zarr.js";
import { shareZarr, unshareZarr } from "./zarr/share-zarr.js";
import { showSharedZarr, showZarr, showZarrOfAddress } from "./zarr/show-zarr.js";

/** Creates the handlers over the services that they use. */
export function createHandlers(services: Services): Handlers {
  const access = new ZarrAccess(services);
  return {
    getOverview: getOverview(services),
    downloadCart: downloadCart(services),
    listFlavours: listFlavours(services),
    addFlavour: addFlavour(services),
    changeFlavour: changeFlavour(services),
    deleteFlavour: deleteFlavour(services),
    searchData: searchData(services),
    searchMetadata: searchMetadata(services),
    searchExtended: searchExtended(services),
    summarize: summarize(services),
    explain: explain(services),
    findComplete: findComplete(services),
    showCoverage: showCoverage(services),
    listBoxes: listBoxes(services),
    countYears: countYears(services),
    listDatasets: listDatasets(services),
    createIntakeCatalogue: createIntakeCatalogue(services),
    createStacCatalogue: createStacCatalogue(services),
    loadData: loadData(services),
    loadDataByKey: loadDataByKey(services),
    readZarr: readZarr(services, access),
    previewData: previewData(services, access),
    showZarr: showZarr(access),
    showZarrOfAddress: showZarrOfAddress(access),
    shareZarr: shareZarr(services, access),
    unshareZarr: unshareZarr(services),
    showSharedZarr: showSharedZarr(services, access),
    readSharedZarr: readSharedZarr(services, access),
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
