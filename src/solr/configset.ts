/** Which of the shipped configsets (folders of solr/) a collection has. */
export function configsetOf(collection: string): string {
  return collection === "state" ? "state" : "configset";
}
