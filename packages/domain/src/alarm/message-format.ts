/** The placeholders of the formats of alarms. */
export const formatPlaceholders = [
  'name',
  'path',
  'message',
  'shortMessage',
  'priority',
  'value',
  'dataServer',
  'station',
  'time',
] as const;

/** The values of the placeholders. */
export type FormatValues = Readonly<Record<(typeof formatPlaceholders)[number], string>>;

export const maxMessageLength = 65_536;

/**
 * Replaces the placeholders of a format, such as `{name}`. Other text in braces is kept, and so are braces in a value,
 * because values come from the plant and are not formats.
 */
export function fillFormat(format: string, values: Readonly<Record<string, string>>): string {
  let filled = '';
  for (const part of format.split(/(\{[A-Za-z]+\})/)) {
    filled += valueOf(part, values) ?? part;
    if (filled.length >= maxMessageLength) return filled.slice(0, maxMessageLength);
  }
  return filled;
}

function valueOf(part: string, values: Readonly<Record<string, string>>): string | undefined {
  const name = part.startsWith('{') && part.endsWith('}') ? part.slice(1, -1) : '';
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
