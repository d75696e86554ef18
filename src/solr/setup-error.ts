/** Something outside the program stops the start. The message is one sentence for the person who started it. */
export class SetupError extends Error {
  override readonly name: string = "SetupError";
}
