import type { ChannelKind } from '@tocsin/contract';
import { suggestion } from '../common/closest-name.ts';
import { ambiguous, type Directory, matched, type PlantItems } from '../plant/directory.ts';
import { type Entry, type Fault, nouns, type Reference, type Section, sections } from '../plant/kind.ts';
import { kinds } from '../plant/kinds.ts';
import type { LocatedFault, PlantFile } from '../plant/plant-file.ts';
import { settingFaults } from '../plant/setting-faults.ts';
import type { Numbered } from './order-entries.ts';

/** What a file is compared with. */
export type Known = {
  readonly items: PlantItems;
  readonly directory: Directory;
  /** Empty if the file has no channels. */
  readonly channelKinds: readonly ChannelKind[];
};

/** What is wrong with the entries of a file, compared with each other and with the server. */
export function findFaults(file: PlantFile, known: Known): LocatedFault[] {
  const inFile = namesIn(file);
  const faults: LocatedFault[] = [];
  for (const section of sections)
    for (const [index, entry] of (file.entries[section] ?? []).entries()) {
      const prefix = `${nouns[section]} "${kinds[section].keyOf(entry)}": `;
      for (const { place, message } of entryFaults(section, { entry, index }, { file, inFile, known }))
        faults.push({ line: file.lineOf(section, index, place), message: `${prefix}${message}` });
    }
  return faults;
}

type Context = {
  readonly file: PlantFile;
  readonly inFile: ReadonlyMap<string, number>;
  readonly known: Known;
};

function entryFaults(
  section: Section,
  { entry, index }: Numbered,
  { file, inFile, known }: Context,
): Fault[] {
  const { directory, channelKinds } = known;
  const kind = kinds[section];
  const name = kind.keyOf(entry);
  const first = inFile.get(`${section} ${matched(section, name)}`) ?? index;
  const ids = section === 'tags' ? [] : directory.idsOf(section, name);
  const faults = [...(kind.faults?.(entry) ?? [])];
  if (first !== index)
    faults.push({
      place: [],
      message: `line ${file.lineOf(section, first)} has it already: remove one of them.`,
    });
  if (ids.length > 1) faults.push({ place: [], message: ambiguous(section, name, ids) });
  if (section === 'channels') faults.push(...settingFaults(entry, channelKinds));
  for (const reference of referencesOf(section, entry)) {
    const message = unknownReference(reference, inFile, directory);
    if (message !== undefined) faults.push({ place: reference.place, message });
  }
  return faults;
}

/** The first place of each name in its section. */
function namesIn({ entries }: PlantFile): Map<string, number> {
  const names = new Map<string, number>();
  for (const section of sections)
    for (const [index, entry] of (entries[section] ?? []).entries()) {
      const key = `${section} ${matched(section, kinds[section].keyOf(entry))}`;
      if (!names.has(key)) names.set(key, index);
    }
  return names;
}

function referencesOf(section: Section, entry: Entry): Reference[] {
  const references = kinds[section].references(entry);
  const hasNoServer = section === 'tags' && !entry['dataServer'];
  return hasNoServer ? [...references, { section: 'dataServers', name: '', place: [] }] : references;
}

function unknownReference(
  { section, name }: Reference,
  inFile: ReadonlyMap<string, number>,
  directory: Directory,
): string | undefined {
  const ids = directory.idsOf(section, name);
  if (ids.length > 1) return ambiguous(section, name, ids);
  if (ids.length === 1 || inFile.has(`${section} ${matched(section, name)}`)) return undefined;
  if (name === '') return 'there is no data server yet: add one to dataServers, and name it with dataServer.';
  const prefix = `${section} `;
  const known = [...inFile.keys()]
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length));
  const meant = suggestion(name, [...known, ...directory.namesIn(section)]);
  return `it names the ${nouns[section]} "${name}", which is neither in the file nor on the server.${meant}`;
}
