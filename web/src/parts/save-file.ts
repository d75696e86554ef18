/** Gives a file to the person in front of the page. @param name what a path must not hold becomes `_` */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  // Names of variables are names in files, which may hold what a path must not.
  link.download = name.replace(/[^\w.-]+/g, "_");
  link.click();
  // The browser takes it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
