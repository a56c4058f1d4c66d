/** Limits the nesting of arrays and objects in one message. Hub methods need only a few levels. */
export const maxNestingLevels = 64;

/**
 * Whether a value is nested too deeply. Both parsers accept any depth, and recursive code such as `JSON.stringify`
 * would later overflow the stack.
 */
export function isTooDeep(value: unknown, levels = maxNestingLevels): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.some((member) => isTooDeep(member, levels - 1));
}

const [quote, backslash] = ['"'.charCodeAt(0), '\\'.charCodeAt(0)];
const opening = new Set(['[', '{'].map((bracket) => bracket.charCodeAt(0)));
const closing = new Set([']', '}'].map((bracket) => bracket.charCodeAt(0)));

/**
 * Checks JSON text before it is parsed, because parsing 30,000 levels blocks the event loop for 10 ms. The result for
 * invalid JSON does not matter, since the parser rejects that anyway.
 */
export function isJsonTooDeep(json: string, levels = maxNestingLevels): boolean {
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
