/** A failure that whoever ran a command is told of in its message alone, a sentence or some; any other is a fault of ours. */
export class ToldError extends Error {}
