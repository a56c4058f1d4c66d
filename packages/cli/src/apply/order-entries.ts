import { matched } from '../plant/directory.ts';
import type { Entry, Section } from '../plant/kind.ts';
import { kinds } from '../plant/kinds.ts';

export type Numbered = { readonly entry: Entry; readonly index: number };

/** The entries of a section so that each comes after those that it names. Entries that name each other keep their order. */
export function inOrder(section: Section, entries: readonly Entry[]): Numbered[] {
  const kind = kinds[section];
  const places = new Map(entries.map((entry, index) => [matched(section, kind.keyOf(entry)), index]));
  const ordered: Numbered[] = [];
  const visited = new Set<number>();
  const visit = (index: number) => {
    const entry = entries[index];
    if (!entry || visited.has(index)) return;
    visited.add(index);
    for (const reference of kind.references(entry)) {
      const place = places.get(matched(section, reference.name));
      if (reference.section === section && place !== undefined) visit(place);
    }
    ordered.push({ entry, index });
  };
  for (const index of entries.keys()) visit(index);
  return ordered;
}
