/** Every operation of the contract, by its operationId. */

import { ZarrAccess } from "../access/zarr-access.js";
import type { Handlers } from "../contract/operation.js";
import { addFlavour } from "./add-flavour.js";
import { addUserData } from "./add-user-data.js";
import { authorize, signIn } from "./authorize.js";
import { changeFlavour } from "./change-flavour.js";
import { countYears } from "./count-years.js";
import { createIntakeCatalogue } from "./create-intake-catalogue.js";
import { createStacCatalogue } from "./create-stac-catalogue.js";
import { deleteFlavour } from "./delete-flavour.js";
import { deleteUserData } from "./delete-user-data.js";
import { downloadCart } from "./download-cart.js";
import { explain } from "./explain.js";
import { findComplete } from "./find-complete.js";
import { getOverview } from "./get-overview.js";
import { introspectToken } from "./introspect-token.js";
import { issueToken } from "./issue-token.js";
import { describeIssuer } from "./issuer-metadata.js";
import { jwks } from "./jwks.js";
import { listBoxes } from "./list-boxes.js";
import { listDatasets } from "./list-datasets.js";
import { listFlavours } from "./list-flavours.js";
import { loadData, loadDataByKey } from "./load-data.js";
import { metrics } from "./metrics.js";
import { ping } from "./ping.js";
import { previewData } from "./preview-data.js";
import { readSharedZarr, readZarr } from "./read-zarr.js";
import { ready } from "./ready.js";
import { revokeToken } from "./revoke-token.js";
import { createScriptToken, endScriptToken, listScriptTokens } from "./script-tokens.js";
import { searchData } from "./search-data.js";
import { searchExtended } from "./search-extended.js";
import { searchMetadata } from "./search-metadata.js";
import type { Services } from "./services.js";
import { shareZarr, unshareZarr } from "./share-zarr.js";
import { showCoverage } from "./show-coverage.js";
import { showStatus } from "./show-status.js";
import { showSharedZarr, showZarr, showZarrOfAddress } from "./show-zarr.js";
import { summarize } from "./summarize.js";
import { tokenStatus } from "./token-status.js";
import { userInfo } from "./user-info.js";

/** The handlers over the parts that they compose. */
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
