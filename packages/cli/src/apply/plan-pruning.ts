import { CommandError } from '../common/command-error.ts';
import { counted } from '../common/terminal-text.ts';
import { nouns, type Section } from '../plant/kind.ts';
import { kinds } from '../plant/kinds.ts';
import type { LocatedFault, PlantFile } from '../plant/plant-file.ts';
import type { Known } from './find-faults.ts';
import { keyOf, type Present, presentObjects, type Wanted, wantedEntries } from './prune-candidates.ts';
import { calledPeople, callersOf, consequencesOf } from './prune-consequences.ts';
import type { FactsOf } from './read-prune-facts.ts';

/** An object to remove: deleted, or retired if its history must stay. */
export type Removal = Present & { readonly consequences: readonly string[] };

/** An object that the file lacks and that cannot be deleted, because others use it. */
export type Kept = Present & { readonly reasons: readonly string[] };

export type Pruning = {
  readonly removals: readonly Removal[];
  readonly kept: readonly Kept[];
  /** People of the file whom no call group and no scenario calls any more. */
  readonly uncalled: readonly string[];
};

/** Decides what is removed. Pure, so a dry run and a real one decide the same. */
export function planPruning(
  file: PlantFile,
  known: Known,
  candidates: readonly Present[],
  factsOf: FactsOf,
): Pruning | LocatedFault[] {
  const wanted = wantedEntries(file, known);
  const reasons = findReasons(known, { candidates, wanted, factsOf });
  const removed = candidates.filter((one) => !reasons.has(one));
  const faults = missingNames(file, wanted, removed);
  if (faults.length > 0) return faults;
  refuse(known, { removed, wanted, factsOf });
  const after = entriesAfter(known, wanted, removed);
  const before = calledPeople(presentObjects(known));
  const called = calledPeople(after);
  const gone = new Set(removed.map(({ section, name }) => keyOf(section, name)));
  return {
    removals: removed.map((one) =>
      Object.assign({}, one, { consequences: consequencesOf(one, { known, after }) }),
    ),
    kept: [...reasons].map(([one, some]) => Object.assign({}, one, { reasons: some })),
    uncalled: [...before].filter((name) => !called.has(name) && !gone.has(keyOf('people', name))).toSorted(),
  };
}

type Decision = {
  readonly candidates: readonly Present[];
  readonly wanted: ReadonlyMap<string, Wanted>;
  readonly factsOf: FactsOf;
};

/** Why candidates are kept. What is kept keeps the objects that it names. */
function findReasons(known: Known, { candidates, wanted, factsOf }: Decision): Map<Present, string[]> {
  const reasons = new Map<Present, string[]>();
  const keep = (one: Present, reason: string) =>
    reasons.set(one, [...new Set([...(reasons.get(one) ?? []), reason])]);
  const listed = new Map(presentObjects(known).map((one) => [`${one.section} ${one.item.id}`, one]));
  const candidateKeys = new Map(candidates.map((one) => [keyOf(one.section, one.name), one]));
  for (const one of candidates)
    for (const reason of usesThatStay(factsOf(one).uses, { listed, candidateKeys })) keep(one, reason);
  const naming = presentObjects(known).filter(
    ({ section, name }) => !wanted.has(keyOf(section, name)) && !candidateKeys.has(keyOf(section, name)),
  );
  const waiting = [...naming, ...reasons.keys()];
  for (let user = waiting.shift(); user; user = waiting.shift())
    for (const { section, name } of kinds[user.section].references(user.entry)) {
      const used = candidateKeys.get(keyOf(section, name));
      if (!used || used === user) continue;
      if (!reasons.has(used)) waiting.push(used);
      keep(used, `${nouns[user.section]} ${user.name} names it, and is not removed`);
    }
  return reasons;
}

const sectionOfKind: Readonly<Record<string, Section>> = {
  station: 'stations',
  'data-server': 'dataServers',
  'tag-group': 'tagGroups',
  scenario: 'scenarios',
  tag: 'tags',
  'call-group': 'callGroups',
  grouping: 'groupings',
  user: 'people',
};

type Listed = {
  readonly listed: ReadonlyMap<string, Present>;
  readonly candidateKeys: ReadonlyMap<string, Present>;
};

/** Uses that a plant file cannot end: by tags that keep their history, by their own actions, and by objects that no file has. */
function usesThatStay(uses: ReturnType<FactsOf>['uses'], { listed, candidateKeys }: Listed): string[] {
  const retired = uses.filter(({ kind, id, relation }) => {
    if (kind !== 'tag') return false;
    const tag = listed.get(`tags ${id}`);
    // A tag that is retired now leaves its scenario.
    return !tag || (candidateKeys.has(keyOf('tags', tag.name)) && relation !== 'follows');
  });
  const others = uses.filter(
    (use) => !retired.includes(use) && (sectionOfKind[use.kind] === undefined || isOwnAction(use)),
  );
  return [
    ...(retired.length > 0
      ? [
          `${counted(retired.length, 'retired tag')} with a history still ${retired.length === 1 ? 'uses' : 'use'} it`,
        ]
      : []),
    ...others.map(({ kind, name }) =>
      kind === 'dispatch-settings'
        ? 'it is the call group of last resort: choose another one in the console'
        : `${kind.replaceAll('-', ' ')} ${name} uses it: change or delete that in the console`,
    ),
  ];
}

/** The plant file has the scenario of a tag, and not its own actions. */
const isOwnAction = ({ kind, relation }: { kind: string; relation: string }) =>
  kind === 'tag' && relation === 'calls';

/** Names in the file of objects that would be removed. */
function missingNames(
  file: PlantFile,
  wanted: ReadonlyMap<string, Wanted>,
  removed: readonly Present[],
): LocatedFault[] {
  const gone = new Map(removed.map((one) => [keyOf(one.section, one.name), one]));
  return [...wanted.values()].flatMap(({ section, index, entry }) =>
    kinds[section].references(entry).flatMap(({ section: other, name, place }) => {
      if (!gone.has(keyOf(other, name))) return [];
      const message =
        `${nouns[section]} "${kinds[section].keyOf(entry)}": it names the ${nouns[other]} "${name}", ` +
        `which --prune would remove: add it to ${other}, or name another one.`;
      return [{ line: file.lineOf(section, index, place), message }];
    }),
  );
}

type Refusal = Pick<Decision, 'wanted' | 'factsOf'> & { readonly removed: readonly Present[] };

/** Refuses to remove what open alarms use, and the last administrator. */
function refuse(known: Known, { removed, wanted, factsOf }: Refusal): void {
  const inUse = removed.flatMap((one) => {
    const alarms = openAlarmsOf(one, known, factsOf);
    if (alarms === 0) return [];
    const todo =
      one.section === 'tags'
        ? 'acknowledge and reset it'
        : 'acknowledge and reset them, or keep it in the file';
    const who = `${nouns[one.section]} "${one.name}"`;
    return [`${who} is used by ${counted(alarms, 'open alarm')}: ${todo}, then apply the file again.`];
  });
  const admins = lastAdministrators(known, { removed, wanted }).map(
    (name) => `person "${name}" is the last administrator: keep it in the file, or add another one.`,
  );
  const lines = [...inUse, ...admins];
  if (lines.length > 0) throw new CommandError([...lines, 'Nothing was changed.'].join('\n'));
}

/** The open alarms that call a person are those of their call groups and scenarios. */
function openAlarmsOf(one: Present, known: Known, factsOf: FactsOf): number {
  if (one.section !== 'people') return factsOf(one).openAlarms;
  return Math.max(0, ...callersOf([one.name], known).map((caller) => factsOf(caller).openAlarms));
}

function lastAdministrators(known: Known, { removed, wanted }: Omit<Refusal, 'factsOf'>): string[] {
  const isAdministrator = ({ role, enabled, stations = ['all'] }: { [member: string]: unknown }) =>
    role === 'admin' && enabled !== false && JSON.stringify(stations) === '["all"]';
  const after = entriesAfter(known, wanted, removed).filter(({ section }) => section === 'people');
  if (after.some(({ entry }) => isAdministrator(entry))) return [];
  return removed
    .filter(({ section, entry }) => section === 'people' && isAdministrator(entry))
    .map(({ name }) => name);
}

/** The objects as they are after the file was applied and the rest removed. */
function entriesAfter(
  known: Known,
  wanted: ReadonlyMap<string, Wanted>,
  removed: readonly Present[],
): Pick<Present, 'section' | 'entry'>[] {
  const gone = new Set(removed.map(({ section, name }) => keyOf(section, name)));
  const others = presentObjects(known).filter(
    ({ section, name }) => !wanted.has(keyOf(section, name)) && !gone.has(keyOf(section, name)),
  );
  return [...wanted.values(), ...others];
}
