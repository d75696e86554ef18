/** Saves a file to the user's disk. @param name unsafe characters become `_` */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  // Names of variables may contain what a path must not.
  link.download = name.replace(/[^\w.-]+/g, "_");
  link.click();
  // The browser reads the URL after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
