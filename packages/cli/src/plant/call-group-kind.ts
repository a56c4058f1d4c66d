import {
  type CallGroup,
  CallGroupBody,
  type CallGroupGrouping,
  CallGroupGroupingBody,
  Roster,
  RosterRotation,
  RosterSlot,
} from '@tocsin/contract';
import { type Static, Type } from 'typebox';
import { suggestion } from '../common/closest-name.ts';
import { CommandError } from '../common/command-error.ts';
import { defineKind, idFor, type Names, nameFor, personKey, present, referenceTo } from './kind.ts';

const closed = { additionalProperties: false };
const reference = Type.Optional(Type.String());

const GroupingEntry = Type.Object(
  {
    name: CallGroupGroupingBody.properties.name,
    localizedName: CallGroupGroupingBody.properties.localizedName,
    parent: reference,
  },
  closed,
);

export const groupingKind = defineKind<CallGroupGrouping, Static<typeof GroupingEntry>>({
  section: 'groupings',
  path: '/callgroupgroupings',
  uses: [],
  schema: GroupingEntry,
  keyOf: (entry) => entry.name,
  references: ({ parent }) => referenceTo('groupings', parent, 'parent'),
  toEntry: ({ name, localizedName, parentId }, names) => ({
    name,
    localizedName,
    parent: nameFor(names, 'groupings', parentId),
  }),
  normalize: present,
  // Call groups name their grouping, so those of the grouping stay in it.
  toBody: ({ parent, ...entry }, { names, item }) =>
    present({
      ...entry,
      parentId: idFor(names, 'groupings', parent),
      callGroupIds: item?.callGroupIds,
    }),
});

const { teamId: _, ...slotMembers } = RosterSlot.properties;
const SlotEntry = Type.Object({ team: Type.String(), ...slotMembers }, closed);
const RosterEntry = Type.Object(
  {
    slotMinutes: Type.Optional(Roster.properties.slotMinutes),
    slots: Type.Optional(Type.Array(SlotEntry, { maxItems: 2_016 })),
    rotation: Type.Optional(Type.Union([Type.Null(), RosterRotation])),
    holidays: Roster.properties.holidays,
  },
  closed,
);
const People = Type.Array(Type.String(), { maxItems: 256 });
const TeamEntry = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 256 }), people: People },
  closed,
);
const { name, localizedName, mode, ackTimeout, attempts, cycles } = CallGroupBody.properties;

const CallGroupEntry = Type.Object(
  {
    name,
    localizedName,
    station: reference,
    mode,
    people: Type.Optional(People),
    teams: Type.Optional(Type.Array(TeamEntry, { maxItems: 64 })),
    roster: Type.Optional(RosterEntry),
    ackTimeout,
    attempts,
    cycles,
    relief: reference,
    grouping: reference,
  },
  closed,
);
type CallGroupEntry = Static<typeof CallGroupEntry>;
type RosterEntry = Static<typeof RosterEntry>;
type SlotEntry = Static<typeof SlotEntry>;
type Team = CallGroup['teams'][number];

export const callGroupKind = defineKind<CallGroup, CallGroupEntry>({
  section: 'callGroups',
  path: '/callgroups',
  uses: ['stations', 'people', 'groupings'],
  schema: CallGroupEntry,
  keyOf: (entry) => entry.name,
  references: ({ station, people = [], teams = [], relief, grouping }) => [
    ...referenceTo('stations', station, 'station'),
    ...people.flatMap((person, index) => referenceTo('people', person, 'people', index)),
    ...teams.flatMap((team, index) =>
      team.people.flatMap((person, member) =>
        referenceTo('people', person, 'teams', index, 'people', member),
      ),
    ),
    ...referenceTo('callGroups', relief, 'relief'),
    ...referenceTo('groupings', grouping, 'grouping'),
  ],
  faults: ({ teams, roster }) => {
    const known = teams?.map((team) => team.name);
    return (roster?.slots ?? []).flatMap(({ team }, index) =>
      known && !known.includes(team)
        ? [{ place: ['roster', 'slots', index, 'team'], message: unknownTeam(team, known) }]
        : [],
    );
  },
  toEntry,
  normalize: ({ people, teams, roster, ...entry }) =>
    present({
      ...entry,
      people: people?.map(personKey),
      teams: teams
        ?.map((team) => ({ name: team.name, people: team.people.map(personKey) }))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      roster: roster && normalRoster(roster),
    }),
  toBody: ({ station, people, teams, roster, relief, grouping, ...entry }, { names, item }) => {
    const numbered = teams && numberTeams(teams, item?.teams ?? [], names);
    return present({
      ...entry,
      stationId: idFor(names, 'stations', station),
      userIds: people?.map((person) => names.idOf('people', person)),
      teams: numbered,
      roster: rosterBody(roster, numbered ?? item?.teams ?? [], item),
      reliefGroupId: idFor(names, 'callGroups', relief),
      groupingId: idFor(names, 'groupings', grouping),
    });
  },
});

function toEntry(group: CallGroup, names: Names): CallGroupEntry {
  const { name, localizedName, mode, ackTimeout, attempts, cycles } = group;
  const peopleOf = (ids: readonly number[]) => ids.map((id) => nameFor(names, 'people', id));
  return {
    name,
    localizedName,
    station: nameFor(names, 'stations', group.stationId),
    mode,
    people: peopleOf(group.userIds),
    teams: group.teams.map((team) => ({ name: teamName(team), people: peopleOf(team.userIds) })),
    roster: rosterEntry(group),
    ackTimeout,
    attempts,
    cycles,
    relief: nameFor(names, 'callGroups', group.reliefGroupId),
    grouping: nameFor(names, 'groupings', group.groupingId),
  };
}

/** Teams of older files may have no name. */
const teamName = ({ id, name }: Team) => (name === '' ? `Team ${id}` : name);

function rosterEntry({ roster, teams }: CallGroup): RosterEntry {
  const names = new Map(teams.map((team) => [team.id, teamName(team)]));
  return {
    slotMinutes: roster.slotMinutes,
    slots: roster.slots.map(({ teamId, ...slot }) => ({ team: names.get(teamId) ?? '', ...slot })),
    rotation: roster.rotation ?? null,
    holidays: roster.holidays ?? [],
  };
}

/** A rotation of one week is none, and the order of slots and holidays has no meaning. */
function normalRoster({ slotMinutes, slots, rotation, holidays }: RosterEntry) {
  const text = ({ week = 0, day, start, end, team }: SlotEntry) =>
    JSON.stringify([week, day, start, end, team]);
  return present({
    slotMinutes,
    slots: slots
      ?.map(({ team, day, start, end, week }) => present({ team, day, start, end, week }) as SlotEntry)
      .toSorted((one, other) => (text(one) < text(other) ? -1 : 1)),
    rotation: rotation && rotation.weeks === 1 ? null : rotation,
    holidays: holidays
      ?.map(({ date, name }) => present({ date, name: name || undefined }))
      .toSorted((one, other) => (String(one['date']) < String(other['date']) ? -1 : 1)),
  });
}

/** A team keeps its number, because overrides name it. */
function numberTeams(
  teams: NonNullable<CallGroupEntry['teams']>,
  before: readonly Team[],
  names: Names,
): Team[] {
  let last = Math.max(0, ...before.map(({ id }) => id));
  return teams.map(({ name, people }) => {
    const known = before.find((team) => teamName(team) === name);
    if (!known) last += 1;
    const userIds = people.map((person) => names.idOf('people', person));
    return { id: known?.id ?? last, name, userIds };
  });
}

/** Overrides are for a day, not for the plant: those of the group stay. */
function rosterBody(roster: RosterEntry | undefined, teams: readonly Team[], item: CallGroup | undefined) {
  if (!roster) return undefined;
  const { slotMinutes = 60, slots = [], rotation, holidays = [] } = roster;
  const known = teams.map(teamName);
  const teamIdOf = (name: string) => {
    const team = teams.find((one) => teamName(one) === name);
    if (!team) throw new CommandError(unknownTeam(name, known));
    return team.id;
  };
  return present({
    slotMinutes,
    slots: slots.map(({ team, day, start, end, week }) =>
      present({ teamId: teamIdOf(team), day, start, end, week }),
    ),
    rotation: rotation ?? undefined,
    holidays,
    overrides: item?.roster.overrides,
  });
}

const unknownTeam = (name: string, known: readonly string[]) =>
  `the call group has no team "${name}".${suggestion(name, known)}`;
