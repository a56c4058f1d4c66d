import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxMessageLength } from './message-format.ts';
import {
  fillTemplate,
  type TemplateValues,
  templatePlaceholders,
  unknownPlaceholders,
} from './message-template.ts';

const values: TemplateValues = {
  name: 'Boiler',
  path: 'Hall 7/Boiler',
  message: 'Pressure high',
  shortMessage: '17',
  priority: '2',
  value: '12 bar',
  dataServer: 'PLC 1',
  station: 'North',
  time: '2026-03-01 07:00:00',
  person: 'Anna',
};
const asIs = (value: string) => value;

test('a template tells the called person where and what', () => {
  const template = '{person}, alarm of priority {priority} at {station}: {message} since {time}';
  expect(unknownPlaceholders(template)).toEqual([]);
  expect(fillTemplate(template, values, asIs)).toBe(
    'Anna, alarm of priority 2 at North: Pressure high since 2026-03-01 07:00:00',
  );
});

test.for([
  ['{colour} and {name} and {colour}', ['{colour}']],
  ['{Name} { name } {} {name.path} {__proto__}', ['{Name}', '{ name }', '{}', '{name.path}', '{__proto__}']],
  ['{{name}} {{{path}}} } { {name', []],
  ['{{colour}}', ['{colour}']],
  ['{na\nme}', ['{na\nme}']],
] as const)('unknown placeholders are found: %j', ([template, unknown]) => {
  expect(unknownPlaceholders(template)).toEqual(unknown);
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('{name}', '{{person}}', '{', '}', '{message', '$&', '$1', '<b>', '%s', '{constructor}'),
);
const anyValues = fc.record(
  Object.fromEntries(templatePlaceholders.map((name) => [name, text])),
) as fc.Arbitrary<TemplateValues>;
type Part = { placeholder: keyof TemplateValues } | { plain: string };
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.constantFrom(...templatePlaceholders).map((placeholder) => ({ placeholder })),
  fc.string({ maxLength: 10 }).map((plain) => ({ plain: plain.replace(/[{}]/g, '') })),
);

test('a value never becomes a placeholder, whatever it holds', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), anyValues, (parts, given) => {
      const template = parts.map((one) => ('plain' in one ? one.plain : `{${one.placeholder}}`)).join('');
      const expected = parts.map((one) => ('plain' in one ? one.plain : given[one.placeholder])).join('');
      expect(unknownPlaceholders(template)).toEqual([]);
      expect(fillTemplate(template, given, asIs)).toBe(expected);
    }),
  );
});

test('only values are cleaned, and each of them', () => {
  const given = Object.fromEntries(templatePlaceholders.map((name) => [name, `<${name}>`]));
  const template = `<p>${templatePlaceholders.map((name) => `{${name}}`).join('')}</p>`;
  const filled = fillTemplate(template, given as TemplateValues, (value) => value.replace(/[<>]/g, ''));
  expect(filled).toBe(`<p>${templatePlaceholders.join('')}</p>`);
});

test('a template that is accepted leaves no brace of its own behind', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', 'name', 'path', ' ', 'x') }), (template) => {
      if (unknownPlaceholders(template).length > 0) return;
      const filled = fillTemplate(template, values, asIs);
      expect(filled).not.toMatch(/\{[^{}]*\}/);
    }),
  );
});

test('a filled template has a maximum length', () => {
  const long = { ...values, message: 'x'.repeat(maxMessageLength) };
  expect(fillTemplate('{message}'.repeat(400), long, asIs)).toHaveLength(maxMessageLength);
});
