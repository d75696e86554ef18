/**
 * Lower case as Solr's LowerCaseFilter makes it: code point by code point, without regard to
 * neighbours, so that a value shown in lower case is the very term that a search for it meets.
 */
export function lowerCase(text: string): string {
  const folded = text.toLowerCase();
  // Only beyond ASCII do the two differ (final sigma; capital I with dot, which JavaScript splits).
  if (!/[^\0-\x7f]/.test(folded)) return folded;
  let result = "";
  for (const character of text) {
    result += String.fromCodePoint(character.toLowerCase().codePointAt(0) ?? 0);
  }
  return result;
}
