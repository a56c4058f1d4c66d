import { type Entry, nouns } from '../plant/kind.ts';
import { kinds } from '../plant/kinds.ts';
import type { Known } from './find-faults.ts';
import { keyOf, type Present, presentObjects } from './prune-candidates.ts';

type After = readonly Pick<Present, 'section' | 'entry'>[];

/** What people notice when an object is removed. */
export function consequencesOf(
  { section, name, entry }: Present,
  { known, after }: { known: Known; after: After },
): string[] {
  switch (section) {
    case 'callGroups':
    case 'scenarios':
      return callsOf({ section, entry });
    case 'people':
      return ['is disabled, and named in histories', ...lostCallers(name, known)];
    case 'channels':
      return lostMedium(entry, after);
    case 'tagGroups':
      return lostScenario(entry);
    case 'tags':
      return ['is retired: its history stays, and an alarm that is still sent for it calls nobody by itself'];
    case 'stations':
    case 'dataServers':
    case 'groupings':
      return [];
  }
}

/** The people whom call groups and scenarios call. */
export function calledPeople(objects: After): Set<string> {
  return new Set(
    objects
      .filter(({ section }) => section === 'callGroups' || section === 'scenarios')
      .flatMap(({ section, entry }) => kinds[section].references(entry))
      .filter(({ section }) => section === 'people')
      .map(({ name }) => name.toLowerCase()),
  );
}

function callsOf(object: Pick<Present, 'section' | 'entry'>): string[] {
  const called = kinds[object.section]
    .references(object.entry)
    .filter(
      ({ section }) => section === 'people' || (object.section === 'scenarios' && section === 'callGroups'),
    )
    .map(({ name }) => name);
  return called.length === 0 ? [] : [`no longer calls ${[...new Set(called)].join(', ')}`];
}

/** The call groups and scenarios that call one of these people. */
export function callersOf(people: readonly string[], known: Known): Present[] {
  const keys = new Set(people.map((name) => keyOf('people', name)));
  return presentObjects(known).filter(
    (one) =>
      (one.section === 'callGroups' || one.section === 'scenarios') &&
      kinds[one.section].references(one.entry).some(({ section, name }) => keys.has(keyOf(section, name))),
  );
}

function lostCallers(person: string, known: Known): string[] {
  const callers = callersOf([person], known);
  if (callers.length === 0) return [];
  return [
    `is no longer called by ${callers.map(({ section, name }) => `${nouns[section]} ${name}`).join(', ')}`,
  ];
}

function lostScenario({ scenario }: Entry): string[] {
  if (typeof scenario !== 'string' || scenario === '') return [];
  return [`its alarms no longer follow the scenario ${scenario}`];
}

function lostMedium({ medium, kind }: Entry, after: After): string[] {
  const isSame = ({ section, entry }: After[number]) =>
    section === 'channels' && entry['enabled'] !== false && entry['medium'] === medium;
  return after.some(isSame) ? [] : [`nobody is reached by ${String(medium ?? kind)} any more`];
}
