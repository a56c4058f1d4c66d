import { type FormatValues, fillFormat, formatPlaceholders } from './message-format.ts';

/** The placeholders of message templates: those of the formats of alarms, and the name of the called person. */
export const templatePlaceholders = [...formatPlaceholders, 'person'] as const;

export type TemplateValues = FormatValues & { readonly person: string };

/** The texts in braces that are no placeholder, each once, as they are written: `{colour}`. */
export function unknownPlaceholders(template: string): string[] {
  const known = new Set<string>(templatePlaceholders.map((name) => `{${name}}`));
  const written = template.match(/\{[^{}]*\}/g) ?? [];
  return [...new Set(written)].filter((placeholder) => !known.has(placeholder));
}

/** Fills a template with values that are cleaned first. A value is never filled again, whatever it holds. */
export function fillTemplate(
  template: string,
  values: TemplateValues,
  clean: (value: string) => string,
): string {
  const cleaned = templatePlaceholders.map((name) => [name, clean(values[name])] as const);
  return fillFormat(template, Object.fromEntries(cleaned));
}
