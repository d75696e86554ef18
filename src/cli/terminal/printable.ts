import { escapeUnseen } from "../../domain/text/invisible-characters.js";

/**
 * Makes a text such as a path safe to print in one line: line breaks, terminal control characters and changes of the
 * text direction are escaped as in JSON.
 */
export const printable = (text: string): string => escapeUnseen(text, UNPRINTABLE);

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
