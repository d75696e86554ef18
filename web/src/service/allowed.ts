/** Opens a part of the browser, such as its storage. @returns undefined if the browser lacks or blocks it */
export function ifAllowed<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
