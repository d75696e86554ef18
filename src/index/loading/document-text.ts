/** Finds in the text of a JSON object what its parsed form hides: repeated keys, and nesting depth. */

const [QUOTE, BACKSLASH, COLON, COMMA] = [34, 92, 58, 44];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [91, 93, 123, 125];

/** The index of the quote that closes the string which starts at `start`. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === BACKSLASH) at += 1;
    else if (character === QUOTE) return at;
  }
  return text.length;
}

/** Whether objects and arrays are nested deeper than `maxDepth`, even if the text is invalid. */
export function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfText(text, at);
    else if (character === OPEN_BRACKET || character === OPEN_BRACE) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) depth -= 1;
  }
  return false;
}

/**
 * The first key that occurs twice in an object.
 *
 * @param text a valid JSON object
 * @param count number of keys after parsing
 */
export function repeatedKey(text: string, count: number): string | undefined {
  if (maxKeys(text) === count) return undefined;
  const seen = new Set<string>();
  let depth = 0;
  let isKey = true;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const end = endOfText(text, at);
      if (depth === 1 && isKey) {
        const key = String(JSON.parse(text.slice(at, end + 1)));
        if (seen.has(key)) return key;
        seen.add(key);
      }
      at = end;
    } else if (character === COLON) isKey = false;
    else if (character === COMMA && depth === 1) isKey = true;
    else if (character === OPEN_BRACKET || character === OPEN_BRACE) depth += 1;
    else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) depth -= 1;
  }
  return undefined;
}

/** An upper bound of the number of keys: colons after a quote. For most texts it is exact, which avoids the slower scan. */
function maxKeys(text: string): number {
  let count = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    let before = at - 1;
    while (before > 0 && text.charCodeAt(before) <= 32) before -= 1;
    if (text.charCodeAt(before) === QUOTE) count += 1;
  }
  return count;
}
