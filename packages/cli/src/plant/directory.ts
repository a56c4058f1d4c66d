import { type Api, readAll } from '@tocsin/client';
import { CommandError } from '../common/command-error.ts';
import { type Names, nouns, personKey, type Section, type Stored, sections } from './kind.ts';
import { kinds } from './kinds.ts';

/** The objects of the server, by section. Sections that were not read are absent. */
export type PlantItems = Readonly<Partial<Record<Section, readonly Stored[]>>>;

/** Reads the objects of these sections and of those that they name. */
export async function readItems(api: Api, wanted: readonly Section[]): Promise<PlantItems> {
  const needed = new Set(wanted.flatMap((section) => [section, ...kinds[section].uses]));
  const items: Partial<Record<Section, readonly Stored[]>> = {};
  for (const section of sections)
    if (needed.has(section)) items[section] = [...(await readAll<Stored>(api, kinds[section].path)).values()];
  return items;
}

/** The names of the objects, on the server and written since. */
export type Directory = Names & {
  /** All objects of that name. */
  idsOf(section: Section, name: string): readonly number[];
  namesIn(section: Section): string[];
  add(section: Section, name: string, id: number): void;
};

/** The form in which names are matched: user names are unique whatever the case. */
export const matched = (section: Section, name: string) => (section === 'people' ? personKey(name) : name);

const nameIn = (item: Stored) => {
  const { username, name } = item as { username?: string; name?: string };
  return username ?? name ?? '';
};

export function createDirectory(items: PlantItems): Directory {
  const names = new Map<string, string>();
  const ids = new Map<string, number[]>();
  const known = new Map<Section, string[]>();
  const add = (section: Section, name: string, id: number) => {
    const key = `${section} ${matched(section, name)}`;
    names.set(`${section} ${id}`, name);
    ids.set(key, [...(ids.get(key) ?? []), id]);
    known.set(section, [...(known.get(section) ?? []), name]);
  };
  // Tags are not named by other objects.
  for (const section of sections)
    if (section !== 'tags') for (const item of items[section] ?? []) add(section, nameIn(item), item.id);
  const idsOf = (section: Section, name: string) => ids.get(`${section} ${matched(section, name)}`) ?? [];
  return {
    add,
    idsOf,
    namesIn: (section) => known.get(section) ?? [],
    nameOf: (section, id) => {
      const name = names.get(`${section} ${id}`);
      if (name === undefined)
        throw new CommandError(`You may not see ${nouns[section]} ${id}, which another object names.`);
      return name;
    },
    idOf: (section, name) => {
      const [id] = idsOf(section, name);
      if (id === undefined) throw new CommandError(`There is no ${nouns[section]} "${name}".`);
      return id;
    },
  };
}

/** Names that several objects have, which a plant file cannot tell apart. */
export function ambiguousNames(items: PlantItems): string[] {
  return sections
    .filter((section) => section !== 'tags')
    .flatMap((section) =>
      [...Map.groupBy(items[section] ?? [], (item) => matched(section, nameIn(item)))]
        .filter(([, same]) => same.length > 1)
        .map(([, same]) =>
          ambiguous(
            section,
            nameIn(same[0] ?? { id: 0 }),
            same.map(({ id }) => id),
          ),
        ),
    );
}

export const ambiguous = (section: Section, name: string, ids: readonly number[]) =>
  `there are ${ids.length} objects of the kind "${nouns[section]}" with the name "${name}" (numbers ${ids.join(', ')}): rename all but one, because a plant file tells them apart by name.`;
