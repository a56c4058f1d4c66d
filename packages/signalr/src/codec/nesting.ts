/** Levels of lists and objects in one message: no call of the hub needs more than a few. */
export const mostLevels = 64;

/**
 * Whether a value has more levels than that. Both parsers build values of any depth, and whatever walks one later by
 * recursion, such as `JSON.stringify`, would run out of stack.
 */
export function isTooDeep(value: unknown, levels = mostLevels): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.some((member) => isTooDeep(member, levels - 1));
}

const [quote, backslash] = ['"'.charCodeAt(0), '\\'.charCodeAt(0)];
const opening = new Set(['[', '{'].map((bracket) => bracket.charCodeAt(0)));
const closing = new Set([']', '}'].map((bracket) => bracket.charCodeAt(0)));

/**
 * The same of JSON, before it is parsed: building 30,000 levels takes the parser 10 ms, in which nobody else is served.
 * What it says of text that is not JSON does not matter, since that is refused anyway.
 */
export function isJsonTooDeep(json: string, levels = mostLevels): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === quote) isInString = !isInString;
    else if (isInString && code === backslash) index += 1;
    else if (!isInString && opening.has(code)) depth += 1;
    else if (!isInString && closing.has(code)) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}
