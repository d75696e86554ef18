import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The path on this machine that a document names, or undefined. */
export function localPath({ file, uri }: Readonly<Record<string, unknown>>): string | undefined {
  if (isAbsolute(String(file))) return resolve(String(file));
  for (const address of [file, uri]) {
    if (!/^file:\/\/\//i.test(String(address))) continue;
    try {
      return fileURLToPath(String(address));
    } catch {
      // Not a local file URI.
    }
  }
  return undefined;
}
