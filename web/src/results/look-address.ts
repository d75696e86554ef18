import { href } from "../address/address.js";

/** The address of the first look at a file. */
export const lookAddress = (file: string, flavour: string): string =>
  href("look", new URLSearchParams({ look_file: file, flavour }));
