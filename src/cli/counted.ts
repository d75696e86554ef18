/** Numbers in texts for people. */

export const number = (of: number): string => of.toLocaleString("en");

/** @param noun for one */
export const count = (of: number, noun: string): string =>
  `${number(of)} ${noun}${of === 1 ? "" : "s"}`;
