/** The patterns of `like`: `%` for any text, `_` for one character, and a backslash before one that stands for itself. */

type Token = "many" | "one" | { readonly text: string };

function tokens(pattern: string): Token[] {
  const found = pattern.match(/\\[\s\S]|%+|[\s\S]/gu) ?? [];
  return found.map((part) => {
    if (part.startsWith("%")) return "many";
    if (part === "_") return "one";
    return { text: part.length > 1 && part.startsWith("\\") ? part.slice(1) : part };
  });
}

const STEPS = 1000;

/**
 * A function that says whether a text matches. Its time is bounded by the product of both lengths: regular expressions could
 * take exponential time.
 *
 * @param spend is called after each `STEPS` steps with their number, and may throw
 */
export function matcher(
  pattern: string,
  spend: (steps: number) => void,
): (text: string) => boolean {
  const parts = tokens(pattern);
  let steps = 0;
  return (text) => {
    const characters = Array.from(text);
    let [at, part] = [0, 0];
    let [star, resume] = [-1, 0];
    while (at < characters.length) {
      steps += 1;
      if (steps % STEPS === 0) spend(STEPS);
      const token = parts[part];
      if (token === "many") {
        star = part;
        resume = at;
        part += 1;
      } else if (token !== undefined && (token === "one" || token.text === characters[at])) {
        at += 1;
        part += 1;
      } else if (star >= 0) {
        resume += 1;
        at = resume;
        part = star + 1;
      } else return false;
    }
    while (parts[part] === "many") part += 1;
    return part === parts.length;
  };
}
