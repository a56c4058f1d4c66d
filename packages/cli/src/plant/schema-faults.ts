import { Errors } from 'typebox/value';
import { closestName, suggestion } from '../common/closest-name.ts';
import { type Fault, nouns, type Place, type Section, sections } from './kind.ts';
import { kinds } from './kinds.ts';

type SchemaFault = { keyword: string; instancePath: string; message: string; params?: object };
type Params = {
  additionalProperties?: string[];
  requiredProperties?: string[];
  allowedValues?: unknown[];
  type?: string | string[];
};

/** The places of a plant file that no section or member has, or whose values have another form. */
export function schemaFaults(content: unknown): Fault[] {
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    return [{ place: [], message: `a plant file consists of the sections ${sections.join(', ')}` }];
  return Object.entries(content).flatMap(([name, entries]) => sectionFaults(name, entries));
}

function sectionFaults(name: string, entries: unknown): Fault[] {
  const section = sections.find((one) => one === name);
  if (!section) {
    const message = `there is no section "${name}".${suggestion(name, sections)} The sections are ${sections.join(', ')}.`;
    return [{ place: [name], message }];
  }
  if (!Array.isArray(entries)) {
    const message = `${section} must be a list: begin each ${nouns[section]} with "- ".`;
    return [{ place: [section], message }];
  }
  return entries.flatMap((entry, index) => entryFaults(section, index, entry));
}

function entryFaults(section: Section, index: number, entry: unknown): Fault[] {
  const { schema } = kinds[section];
  const faults = (Errors(schema, entry) as SchemaFault[]).flatMap((fault) =>
    describe(fault, schema as SchemaPart),
  );
  const different = new Map(faults.map((fault) => [`${fault.place.join('/')} ${fault.message}`, fault]));
  return [...different.values()].map(({ place, message }) => ({
    place: [section, index, ...place],
    message: `${nameOf(section, index, entry)}: ${message}`,
  }));
}

/** `tag "North.P1"`, or `tag 3` if it has no name. */
function nameOf(section: Section, index: number, entry: unknown): string {
  const { name, username, path } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<
    string,
    unknown
  >;
  const text = [username, path, name].find((one) => typeof one === 'string');
  return `${nouns[section]} ${text === undefined ? index + 1 : JSON.stringify(text)}`;
}

function describe({ keyword, instancePath, message, params }: SchemaFault, schema: SchemaPart): Fault[] {
  const place = placeOf(instancePath);
  const given = (params ?? {}) as Params;
  // Told a second time for each member that is too many.
  if (keyword === 'boolean') return [];
  if (keyword === 'additionalProperties')
    return (given.additionalProperties ?? []).map((name) => ({
      place: [...place, name],
      message: unknownMember(name, membersAt(schema, place)),
    }));
  if (keyword === 'required')
    return (given.requiredProperties ?? []).map((name) => ({
      place,
      message: `${name} is missing: add it.`,
    }));
  const member = place.filter((part) => typeof part === 'string').join('.');
  return [{ place, message: `${member === '' ? 'it' : member} ${expectation(keyword, message, given)}` }];
}

function expectation(keyword: string, message: string, { allowedValues = [], type }: Params): string {
  if (keyword === 'enum') return `must be one of ${allowedValues.map(String).join(', ')}.`;
  if (keyword === 'type' && type === 'string') return 'must be a text: put it in quotes.';
  if (keyword === 'type' && type === 'array') return 'must be a list: write [a, b].';
  if (keyword === 'pattern') return 'does not have the right form: see docs/command-line.md.';
  return `${message}.`;
}

function unknownMember(name: string, known: readonly string[]): string {
  const list = `Known are ${known.join(', ')}.`;
  const meant = closestName(name, known);
  return `there is no "${name}". ${meant === undefined ? list : `Did you mean "${meant}"? ${list}`}`;
}

/** `/media/0/kind` → `['media', 0, 'kind']`. */
function placeOf(pointer: string): Place {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')));
}

type SchemaPart = { properties?: Record<string, SchemaPart>; items?: SchemaPart };

/** The names of the members that the schema has at a place. */
function membersAt(schema: SchemaPart, place: Place): string[] {
  let part: SchemaPart | undefined = schema;
  for (const step of place) part = typeof step === 'number' ? part?.items : part?.properties?.[step];
  return Object.keys(part?.properties ?? {});
}
