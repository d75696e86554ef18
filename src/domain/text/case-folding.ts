/**
 * Lower case as Solr's LowerCaseFilter makes it: code point by code point. A value shown in lower case is therefore exactly
 * the term that a search for it matches.
 */
export function lowerCase(text: string): string {
  const folded = text.toLowerCase();
  // toLowerCase differs only beyond ASCII: final sigma, and capital I with dot, which it splits.
  if (!/[^\0-\x7f]/.test(folded)) return folded;
  let result = "";
  for (const character of text) {
    result += String.fromCodePoint(character.toLowerCase().codePointAt(0) ?? 0);
  }
  return result;
}
