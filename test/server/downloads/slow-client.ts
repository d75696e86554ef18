/** A client that stops reading in the middle of an answer. */
import { get, type IncomingMessage } from "node:http";

interface SlowRequest {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes that are expected. */
  readonly size: number;
}

/**
 * Reads an answer, and pauses after its headers.
 *
 * @param happens what happens during the pause
 * @returns whether the client sees a whole answer
 */
export async function readSlowly(
  { address, headers, size }: SlowRequest,
  happens: () => Promise<void>,
): Promise<"whole" | "broken"> {
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      // Also told of a connection that is reset while the body is read.
      get(address, { headers, agent: false }, resolve).on("error", reject);
    });
    response.pause();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await happens();
    let read = 0;
    for await (const piece of response) read += (piece as Buffer).length;
    return read === size && response.complete ? "whole" : "broken";
  } catch {
    return "broken";
  }
}
