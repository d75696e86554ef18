/** Messages about changes of user data. Source: specification, 2.7 and 4.8. */

export interface Added {
  readonly added: number;
  /** Files that were registered before, by any user. */
  readonly duplicates: number;
}

export function addedMessage({ added, duplicates }: Added): string {
  const success =
    added > 0
      ? `${added} have been successfully added to the databrowser.`
      : "No data was added to the databrowser.";
  const files = duplicates === 1 ? "file was a duplicate" : "files were duplicates";
  return `${success} ${duplicates} ${files} and not added.`;
}

export function deletedMessage(deleted: number): string {
  const documents = deleted === 1 ? "document of user data has" : "documents of user data have";
  return `User data has been deleted successfully. ${deleted} ${documents} been deleted`;
}
