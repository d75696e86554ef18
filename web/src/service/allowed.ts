/** Uses a part of the browser, such as its storage. @returns undefined if the browser lacks or blocks it */
export function ifAllowed<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
