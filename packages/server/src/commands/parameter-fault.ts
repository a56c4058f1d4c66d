/** The whole parameter must match `pattern` and have at most `max` characters. */
export type ParameterRule = { readonly name: string; readonly pattern: string; readonly max: number };

/** Compiles a pattern that must match the whole text. Throws if it is not a regular expression. */
export function wholePattern(pattern: string): RegExp {
  // Compiled alone first: a pattern that closes the group around it would match parts of a text.
  const { source, flags } = new RegExp(pattern, 'u');
  return new RegExp(`^(?:${source})$`, flags);
}

/**
 * The reason why a parameter is refused, or undefined. A leading dash could be read as an option, and control characters
 * could hide something. Called only in the runner's process, because patterns may be slow.
 */
export function parameterFault(rule: ParameterRule | undefined, parameter: string): string | undefined {
  if (rule === undefined) return parameter === '' ? undefined : 'the command takes no parameter';
  if (Array.from(parameter).length > rule.max) return `${rule.name} is longer than ${rule.max} characters`;
  if (parameter.startsWith('-')) return `${rule.name} begins with a dash`;
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(parameter))
    return `${rule.name} has characters that are not printed`;
  return wholePattern(rule.pattern).test(parameter) ? undefined : `${rule.name} does not match its pattern`;
}
