/** Probes the data folders, and the free space where the service writes. */
import { inspectNodes } from "../../../index/collections/node-health.js";
import { MIN_FREE } from "../../../index/collections/storage-probe.js";
import type { SolrEndpoint } from "../../../index/transport/endpoint.js";
import { type FolderState, folderProbe } from "./folder.js";
import { type Finding, type Probe, together } from "./probe.js";

/** Milliseconds that a file system may take to answer. */
const TIMEOUT = 2000;
const GB = 1e9;

/** Free bytes below which the state is a warning: 5% of the disk, but at least 1 GB and at most 20 GB. */
const littleRoom = (size: number): number => Math.max(GB, Math.min(size / 20, 20 * GB));

const gigabytes = (bytes: number): string => `${(bytes / GB).toFixed(1)} GB`;

const SILENT_ADVICE =
  "Look at the server of that mount and the network to it (`mount`, `dmesg`); the service goes on by itself when it answers again. Restarting the service does not help.";

/** Probes whether each folder exists, can be read and answers. */
export function dataRoots(paths: readonly string[]): readonly Probe[] {
  return paths.map((path, index): Probe => {
    const look = folderProbe(path);
    const which =
      paths.length === 1 ? "The data folder" : `Data root ${index + 1} of ${paths.length}`;
    return {
      name: `data-${index + 1}`,
      isPublic: true,
      ttl: 2500,
      timeout: TIMEOUT,
      late: rootFinding(which, path, { kind: "silent" }),
      inspect: async (signal) => rootFinding(which, path, await look(signal)),
    };
  });
}

function rootFinding(which: string, path: string, state: FolderState): Finding {
  const failed = (what: string, advice: string, detail = path): Finding => {
    return { state: "failed", says: `${which} ${what}.`, detail, advice };
  };
  switch (state.kind) {
    case "there":
      return { state: "ok", says: `${which} can be read.`, detail: `${path}, on ${state.device}` };
    case "missing":
      return failed(
        "is not there",
        "Mount it, or take it out of DATA_ROOTS; a folder that comes later is seen.",
      );
    case "refused":
      return failed(
        "may not be read",
        "Let the service's user read it (its groups, or an ACL: `setfacl -m u:USER:rx`).",
      );
    case "broken":
      return failed("cannot be read", SILENT_ADVICE, `${path}: ${state.reason}`);
    case "silent":
      return failed("does not answer", SILENT_ADVICE);
  }
}

interface Room {
  readonly where: string;
  readonly free: number;
  readonly size: number;
}

const ROOM = "There is room on the disks.";
const ROOM_ADVICE =
  "Free space, or use a larger disk. You can delete old backups and logs, and former indexes that `solr upgrade` has kept.";

/** The disks of an outside Solr, as far as it reports them. */
async function roomOf(solr: SolrEndpoint, signal: AbortSignal): Promise<readonly Room[]> {
  const nodes = await inspectNodes(solr, signal);
  return nodes.flatMap(({ url, disk }) => (disk ? [{ where: url.host, ...disk }] : []));
}

/**
 * Probes the free space where the service and Solr write.
 *
 * @param folder DATA_DIR. The embedded Solr writes below it; with an outside one, the first write of the service creates it
 */
export function room(folder: string, outside: SolrEndpoint | undefined): Probe {
  const look = folderProbe(folder);
  const silent: Finding = {
    state: "failed",
    says: "The disk of the service's own data does not answer.",
    detail: folder,
    advice: SILENT_ADVICE,
  };
  return {
    name: "disk",
    isPublic: true,
    ttl: 2500,
    timeout: TIMEOUT + 500,
    late: silent,
    inspect: async (signal) => {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]);
      const [own, others] = await Promise.all([
        look(soon),
        outside === undefined ? [] : roomOf(outside, soon).catch(() => []),
      ]);
      const first: Finding =
        own.kind === "missing" && outside !== undefined
          ? { state: "ok", says: ROOM, detail: `${folder}: not made yet` }
          : ownFinding(own, folder, silent);
      return together([first, ...others.map((one) => roomFinding(one, 0))]);
    },
  };
}

function ownFinding(state: FolderState, folder: string, silent: Finding): Finding {
  if (state.kind === "silent") return silent;
  if (state.kind === "there") return roomFinding({ where: folder, ...state }, MIN_FREE);
  const says = "The folder of the service's own data cannot be used.";
  const reason = state.kind === "broken" ? state.reason : state.kind;
  const advice = "Is DATA_DIR right, and its owner the service's user? The first start makes it.";
  return { state: "failed", says, detail: `${folder}: ${reason}`, advice };
}

function roomFinding({ where, free, size }: Room, min: number): Finding {
  const detail = `${where}: ${gigabytes(free)} of ${gigabytes(size)} free`;
  if (free <= min) {
    const says = "A disk is full: nothing new can be written.";
    return { state: "failed", says, detail, advice: ROOM_ADVICE };
  }
  if (free < littleRoom(size)) {
    return { state: "warning", says: "A disk is nearly full.", detail, advice: ROOM_ADVICE };
  }
  return { state: "ok", says: ROOM, detail };
}
