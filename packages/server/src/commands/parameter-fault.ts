/** What a parameter must be like: `pattern` for all of it, `max` characters. */
export type ParameterRule = { readonly name: string; readonly pattern: string; readonly max: number };

/** The pattern for a whole text: what it finds within one does not count. Throws when it is none by itself. */
export function wholePattern(pattern: string): RegExp {
  // By itself first: one that closes the bracket around it would be looked for anywhere.
  const { source, flags } = new RegExp(pattern, 'u');
  return new RegExp(`^(?:${source})$`, flags);
}

/**
 * Why a parameter is not given to a program, or undefined when it may be. What begins with a dash could be taken for
 * an option; what is not printed could hide something. Patterns may be slow: only the runner's process asks.
 */
export function parameterFault(rule: ParameterRule | undefined, parameter: string): string | undefined {
  if (rule === undefined) return parameter === '' ? undefined : 'the command takes no parameter';
  if (Array.from(parameter).length > rule.max) return `${rule.name} is longer than ${rule.max} characters`;
  if (parameter.startsWith('-')) return `${rule.name} begins with a dash`;
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(parameter))
    return `${rule.name} has characters that are not printed`;
  return wholePattern(rule.pattern).test(parameter) ? undefined : `${rule.name} does not match its pattern`;
}
