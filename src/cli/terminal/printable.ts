import { escapeUnseen } from "../../domain/text/invisible-characters.js";

/**
 * A text from outside, such as a path, in a line for a terminal: what would end the line, steer the terminal, or turn the
 * direction of reading is written as JSON writes it.
 */
export const printable = (text: string): string => escapeUnseen(text, UNPRINTABLE);

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
