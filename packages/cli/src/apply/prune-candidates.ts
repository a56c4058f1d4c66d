import { matched } from '../plant/directory.ts';
import { type Entry, type Section, type Stored, sections } from '../plant/kind.ts';
import { kinds } from '../plant/kinds.ts';
import { type PlantFile, sectionsOf } from '../plant/plant-file.ts';
import { mergeEntries } from './compare-entries.ts';
import type { Known } from './find-faults.ts';
import { withDataServers } from './plan-apply.ts';

/** An object of the server, as a plant file would have it. */
export type Present = {
  readonly section: Section;
  readonly name: string;
  readonly item: Stored;
  readonly entry: Entry;
};

/** The objects of the server in all sections. */
export function presentObjects({ items, directory }: Known): Present[] {
  return sections.flatMap((section) =>
    (items[section] ?? []).map((item) => {
      const entry = kinds[section].toEntry(item, directory);
      return { section, name: kinds[section].keyOf(entry), item, entry };
    }),
  );
}

/** An entry of the file, with the members of the present object that it leaves out. */
export type Wanted = { readonly section: Section; readonly index: number; readonly entry: Entry };

export const keyOf = (section: Section, name: string): string => `${section} ${matched(section, name)}`;

/** The entries of the file by `keyOf`, as they are after it was applied. */
export function wantedEntries(file: PlantFile, known: Known): Map<string, Wanted> {
  const present = new Map(presentObjects(known).map((one) => [keyOf(one.section, one.name), one.entry]));
  const completed = withDataServers(file, known);
  return new Map(
    sectionsOf(completed).flatMap((section) =>
      (completed.entries[section] ?? []).map((entry, index) => {
        const key = keyOf(section, kinds[section].keyOf(entry));
        return [key, { section, index, entry: mergeEntries(present.get(key) ?? {}, entry) }] as const;
      }),
    ),
  );
}

/** The objects that the file lacks, of the sections that it has. A person who is disabled is retired already. */
export function findCandidates(file: PlantFile, known: Known): Present[] {
  const wanted = wantedEntries(file, known);
  const named = new Set(sectionsOf(file));
  return presentObjects(known).filter(
    ({ section, name, entry }) =>
      named.has(section) &&
      !wanted.has(keyOf(section, name)) &&
      !(section === 'people' && entry['enabled'] === false),
  );
}
