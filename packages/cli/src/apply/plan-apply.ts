import { matched } from '../plant/directory.ts';
import { type Entry, type Kind, nouns, type Section, type Stored, sections } from '../plant/kind.ts';
import { kinds } from '../plant/kinds.ts';
import type { LocatedFault, PlantFile } from '../plant/plant-file.ts';
import { type Change, compareEntries } from './compare-entries.ts';
import { findFaults, type Known } from './find-faults.ts';
import { inOrder } from './order-entries.ts';

/** An object to create, or to change if it is there. */
export type Step = {
  readonly section: Section;
  /** Its name, for messages. */
  readonly name: string;
  /** Its place in its section of the file. */
  readonly index: number;
  readonly entry: Entry;
  /** The object on the server; undefined for a new one. */
  readonly item: Stored | undefined;
  /** Empty for a new object. */
  readonly changes: readonly Change[];
};

export type Plan = { readonly steps: readonly Step[]; readonly unchanged: number };

export type PlanOptions = { readonly renewSecrets: boolean };

/** Compares a file with the objects of the server. Pure, so a dry run and a real one decide the same. */
export function planApply(file: PlantFile, known: Known, options: PlanOptions): Plan | LocatedFault[] {
  const completed = withDataServers(file, known);
  const faults = findFaults(completed, known);
  if (faults.length > 0) return faults;
  const compared = sections.flatMap((section) => compareSection(section, completed, known));
  const unmovable = compared.flatMap((step) => leavesItsGroup(step, completed));
  if (unmovable.length > 0) return unmovable;
  const steps = compared
    .map((step) => ({ ...step, changes: [...step.changes, ...secretChanges(step, options)] }))
    .filter(({ item, changes }) => item === undefined || changes.length > 0);
  return { steps, unchanged: compared.length - steps.length };
}

function compareSection(section: Section, { entries }: PlantFile, { items, directory }: Known): Step[] {
  const kind = kinds[section];
  if (entries[section] === undefined) return [];
  const stored = new Map(
    (items[section] ?? []).map((item) => {
      const entry = kind.toEntry(item, directory);
      return [matched(section, kind.keyOf(entry)), { item, entry }] as const;
    }),
  );
  return inOrder(section, entries[section]).map(({ entry, index }) => {
    const name = kind.keyOf(entry);
    const found = stored.get(matched(section, name));
    return { section, name, index, entry, item: found?.item, changes: changesOf(kind, entry, found?.entry) };
  });
}

function changesOf(kind: Kind, wanted: Entry, present: Entry | undefined): Change[] {
  return present ? compareEntries(kind.normalize(present), kind.normalize(wanted)) : [];
}

/** Secrets cannot be read back, so only missing ones are changes, or all of them if they are to be renewed. */
function secretChanges({ section, entry, item }: Step, { renewSecrets }: PlanOptions): Change[] {
  const kind = kinds[section];
  if (!item || !kind.missingSecrets) return [];
  const asked = renewSecrets ? { ...item, secretsSet: [] } : item;
  return kind.missingSecrets(entry, asked).map((name) => ({
    field: `settings.${name}`,
    before: renewSecrets ? '(secret)' : '(not set)',
    after: '(from its file)',
  }));
}

/** The server has no request that takes a tag out of its group. */
function leavesItsGroup({ section, name, index, changes }: Step, file: PlantFile): LocatedFault[] {
  if (section !== 'tags' || !changes.some(({ field, after }) => field === 'tagGroup' && after === ''))
    return [];
  const message = `tag "${name}": a tag cannot leave its ${nouns.tagGroups}: name another one.`;
  return [{ line: file.lineOf(section, index, ['tagGroup']), message }];
}

/** A tag that names no data server belongs to the first one, as an alarm that names none. */
export function withDataServers(file: PlantFile, { items }: Known): PlantFile {
  const { tags } = file.entries;
  if (!tags) return file;
  const [first] = (items.dataServers ?? []).toSorted((one, other) => one.id - other.id);
  const name = (first as { name?: string } | undefined)?.name ?? file.entries.dataServers?.[0]?.['name'];
  if (name === undefined) return file;
  const completed = tags.map((tag) =>
    tag['dataServer'] ? tag : Object.assign({}, tag, { dataServer: name }),
  );
  return { ...file, entries: { ...file.entries, tags: completed } };
}
