import { Document, isMap, isSeq } from 'yaml';
import { CommandError } from '../common/command-error.ts';
import { ambiguousNames, createDirectory, type PlantItems } from '../plant/directory.ts';
import { type Entry, type Section, sections } from '../plant/kind.ts';
import { kinds } from '../plant/kinds.ts';

export type Exported = Readonly<Partial<Record<Section, readonly Entry[]>>>;

const isObject = (value: unknown): value is Entry => typeof value === 'object' && value !== null;

const introduction = ` Plant file of Tocsin: tocsin apply -f FILE brings a server to this state.
 It has no passwords, secrets of channels, overrides of rosters or devices of people: apply leaves those as they are.`;

/** The objects of these sections, as a plant file has them. */
export function exportPlant(items: PlantItems, wanted: readonly Section[]): Exported {
  const ambiguous = ambiguousNames(items);
  if (ambiguous.length > 0) throw new CommandError(ambiguous.join('\n'));
  const directory = createDirectory(items);
  const entries = sections
    .filter((section) => wanted.includes(section))
    .map((section) => {
      const kind = kinds[section];
      // Sorted, so that two exports differ only where the plants do.
      const list = (items[section] ?? [])
        .map((item) => kind.toEntry(item, directory))
        .toSorted((one, other) => (kind.keyOf(one) < kind.keyOf(other) ? -1 : 1));
      return [section, list.map(withoutDefaults)] as const;
    })
    .filter(([, list]) => list.length > 0);
  return Object.fromEntries(entries);
}

/** The text of a plant file. */
export function plantText(exported: Exported): string {
  const document = new Document(exported);
  document.commentBefore = introduction;
  putOnOneLine(document);
  return document.toString({ lineWidth: 0 });
}

/** A new object has these values by itself. */
function withoutDefaults({ roster, ...members }: Entry): Entry {
  const { slotMinutes, ...parts } = isObject(roster) ? withoutDefaults(roster) : {};
  const hasRoster = Object.keys(parts).length > 0;
  const entry: Entry = { ...members, ...(hasRoster && { roster: { slotMinutes, ...parts } }) };
  const isDefault = (name: string, value: unknown) =>
    value === '' ||
    value === null ||
    value === undefined ||
    (Array.isArray(value) && value.length === 0) ||
    (name === 'localizedName' && value === entry['name']) ||
    (name === 'breakGlass' && value === false);
  return Object.fromEntries(Object.entries(entry).filter(([name, value]) => !isDefault(name, value)));
}

/** A tag and a slot are a line each, so that a difference of two files is short. */
function putOnOneLine(document: Document): void {
  const tags = document.get('tags');
  if (isSeq(tags)) for (const tag of tags.items) if (isMap(tag)) tag.flow = true;
  const groups = document.get('callGroups');
  for (const group of isSeq(groups) ? groups.items : []) {
    const slots = isMap(group) ? group.getIn(['roster', 'slots']) : undefined;
    if (isSeq(slots)) for (const slot of slots.items) if (isMap(slot)) slot.flow = true;
  }
}
