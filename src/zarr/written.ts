import type { Writable } from "node:stream";

/** Resolves when the bytes have left this process. @throws what the destination is broken by, also when it only closes */
export function written(out: Writable, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error("The client has gone."));
    out.once("close", onClose);
    out.write(bytes, (error) => {
      out.off("close", onClose);
      if (error) reject(error);
      else resolve();
    });
  });
}
