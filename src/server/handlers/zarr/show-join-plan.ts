import { idOf } from "../../../files/zarr/address.js";
import type { JoinReport } from "../../../files/zarr/join/plan/planned.js";
import { UnreadableData } from "../../access/reading-errors.js";
import { JOIN_PAGE_POLICY, joinPage } from "../../formats/pages/join-page.js";
import { PRIVATE } from "../common/caching.js";
import { beginReading } from "../files/reading.js";
import type { Handler } from "../services.js";

const HEADERS = { ...PRIVATE, Vary: "Accept" };

/** Shows how the files of a joined store are joined, or why they are not. */
export const showJoinPlan: Handler<"showJoinPlan"> = async (request, services) => {
  const { store } = request.path;
  const { reader } = await beginReading(idOf(store), request, services);
  const plan = await services.access
    .joined(store, reader, request.caller, async (dataset) => {
      // The names of files are for those who may read all of them.
      await dataset.documents();
      return { state: "joined" as const, ...plain(dataset.plan.report) };
    })
    .catch((error: unknown) => {
      const isRefused = error instanceof UnreadableData && error.kind === "cannot-join";
      if (isRefused) return { state: "refused" as const, reason: error.message };
      throw error;
    });
  if (!request.caller.wantsPage) {
    return { status: 200, type: "application/json", headers: HEADERS, body: plan };
  }
  const headers = { ...HEADERS, "Content-Security-Policy": JOIN_PAGE_POLICY };
  return { status: 200, type: "text/html", headers, body: joinPage(plan) };
};

/** The same with lists that may be changed, as the contract's types have them. */
const plain = ({ axis, members, files, arrays, gaps, overlaps, notes }: JoinReport) => ({
  axis,
  members: [...members],
  files: [...files],
  arrays: arrays.map((one) => ({ ...one, reasons: [...one.reasons] })),
  gaps: [...gaps],
  overlaps: [...overlaps],
  notes: [...notes],
});
