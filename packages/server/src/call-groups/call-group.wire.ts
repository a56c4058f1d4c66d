import type { CallGroup, CallGroupBody } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { invalid } from '../common/problem.ts';
import type { CallGroupRecord, CallGroupRow } from './call-group.store.ts';
import { emptyRoster, rosterRecord, rosterToWire } from './roster.wire.ts';

const defaults = {
  stationId: 0,
  mode: 'Sequential',
  userIds: [],
  teams: [],
  roster: emptyRoster,
  ackTimeout: 120,
  attempts: 3,
  cycles: 3,
  reliefGroupId: 0,
  groupingId: 0,
} satisfies Partial<CallGroupBody>;

/** The call group of a request, with defaults. `timeZone` is that of its station. */
export function callGroupRecord(body: CallGroupBody, timeZone: string): CallGroupRecord {
  const group = { ...defaults, localizedName: body.name, ...body };
  refuseDuplicates(group);
  const teamIds = new Set(group.teams.map(({ id }) => id));
  return {
    name: group.name,
    localizedName: group.localizedName,
    stationId: group.stationId || null,
    mode: group.mode,
    userIds: group.userIds,
    teams: group.teams.map(({ id, name, userIds }) => ({ id, name, userIds })),
    ...rosterRecord(group.roster, { teamIds, timeZone }),
    ackTimeout: group.ackTimeout,
    attempts: group.attempts,
    cycles: group.cycles,
    reliefGroupId: group.reliefGroupId || null,
    groupingId: group.groupingId || null,
  };
}

export function callGroupToWire(row: CallGroupRow): CallGroup {
  const { id, name, localizedName, lastChange, stationId, mode, userIds, teams } = row;
  const { ackTimeout, attempts, cycles, reliefGroupId, groupingId } = row;
  return {
    id,
    name,
    localizedName,
    lastChange: formatUtc(lastChange),
    stationId: stationId ?? 0,
    mode,
    userIds,
    teams: teams.map(({ id, name, userIds }) => ({ id, name, userIds })),
    roster: rosterToWire(row),
    ackTimeout,
    attempts,
    cycles,
    reliefGroupId: reliefGroupId ?? 0,
    groupingId: groupingId ?? 0,
  };
}

function refuseDuplicates({ userIds, teams }: Required<Pick<CallGroupBody, 'userIds' | 'teams'>>): void {
  refuseDuplicate(userIds, (index) => `/userIds/${index}`);
  refuseDuplicate(
    teams.map(({ id }) => id),
    (index) => `/teams/${index}/id`,
  );
  for (const [team, { userIds }] of teams.entries())
    refuseDuplicate(userIds, (index) => `/teams/${team}/userIds/${index}`);
}

function refuseDuplicate(ids: readonly number[], pointer: (index: number) => string): void {
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (repeated >= 0) throw invalid(pointer(repeated), `names ${ids[repeated]} a second time`);
}
