import {
  CallGroup,
  CallGroupBody,
  CallGroupPage,
  ListCallGroups,
  type RosterOverride,
} from '@tocsin/contract';
import { ProblemError } from '../common/problem.ts';
import { collectionRoutes } from '../http/collection.routes.ts';
import type { RequestContext } from '../http/collection.ts';
import { stationCollection } from '../http/collection-access.ts';
import type { HttpApp } from '../http/http-app.ts';
import { zoneOfStation } from '../plant/station.store.ts';
import { refuseCycle } from '../postgres/chain.ts';
import {
  listReferences,
  optionalReference,
  type Reference,
  requireReferences,
} from '../postgres/collections/references.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { lockWrites } from '../postgres/write-lock.ts';
import {
  type CallGroupRecord,
  type CallGroupRow,
  deleteCallGroup,
  findCallGroup,
  insertCallGroup,
  listCallGroups,
  updateCallGroup,
} from './call-group.store.ts';
import { callGroupRecord, callGroupToWire } from './call-group.wire.ts';
import { findUseOfCallGroup } from './call-group-use.store.ts';
import { touchGroupings } from './grouping.store.ts';

export function callGroupRoutes(app: HttpApp, runtime: Runtime): void {
  collectionRoutes(app, runtime, {
    path: 'callgroups',
    noun: 'call group',
    permission: { read: 'callgroups:read', write: 'callgroups:write' },
    schema: { item: CallGroup, page: CallGroupPage, body: CallGroupBody, query: ListCallGroups },
    ...stationCollection({
      list: listCallGroups,
      find: findCallGroup,
      insert,
      update,
      remove,
      toWire: callGroupToWire,
      check,
    }),
  });
}

async function insert(transaction: TenantTransaction, body: CallGroupBody): Promise<number> {
  const group = await recordOf(transaction, body);
  const id = await insertCallGroup(transaction, group);
  await touchGroupings(transaction, [group.groupingId]);
  return id;
}

async function update(transaction: TenantTransaction, id: number, body: CallGroupBody): Promise<void> {
  const group = await recordOf(transaction, body);
  const before = await groupingOf(transaction, id);
  await updateCallGroup(transaction, id, group);
  if (before !== group.groupingId) await touchGroupings(transaction, [before, group.groupingId]);
}

async function remove(transaction: TenantTransaction, id: number): Promise<void> {
  const used = await findUseOfCallGroup(transaction, id);
  if (used !== undefined) throw new ProblemError('conflict', `The call group is called by ${used}`);
  const grouping = await groupingOf(transaction, id);
  await deleteCallGroup(transaction, id);
  await touchGroupings(transaction, [grouping]);
}

async function check(
  { transaction, principal: { stationIds } }: RequestContext,
  body: CallGroupBody,
  before: CallGroupRow | undefined,
): Promise<void> {
  const { stationId, userIds = [], teams = [], roster, reliefGroupId, groupingId } = body;
  await lockWrites(transaction, 'call-groups');
  await requireReferences(transaction, 'stations', {
    references: optionalReference('/stationId', stationId),
    stationIds,
  });
  await requireReferences(transaction, 'users', {
    references: [
      ...listReferences('/userIds', userIds),
      ...teams.flatMap((team, index) => listReferences(`/teams/${index}/userIds`, team.userIds)),
      ...(roster?.overrides ?? []).flatMap(peopleOfOverride),
    ],
    stationIds,
    kept: before ? namedUsers(before) : [],
  });
  await requireReferences(transaction, 'callGroups', {
    references: optionalReference('/reliefGroupId', reliefGroupId),
    stationIds,
    kept: [before?.reliefGroupId ?? null],
  });
  await requireReferences(transaction, 'callGroupGroupings', {
    references: optionalReference('/groupingId', groupingId),
    stationIds,
  });
  const reference = { id: before?.id ?? 0, next: reliefGroupId };
  await refuseCycle(transaction, { table: 'callGroups', column: 'reliefGroupId' }, reference);
}

function peopleOfOverride({ userId, replacesUserId }: RosterOverride, index: number): Reference[] {
  const pointer = `/roster/overrides/${index}`;
  return [
    ...optionalReference(`${pointer}/userId`, userId),
    ...optionalReference(`${pointer}/replacesUserId`, replacesUserId),
  ];
}

/** A group can be sent back unchanged, also by somebody who does not see all its people. */
function namedUsers({ userIds, teams, overrides }: CallGroupRow): (number | null)[] {
  return [
    ...userIds,
    ...teams.flatMap((team) => team.userIds),
    ...overrides.flatMap((override) => [override.userId, override.replacesUserId]),
  ];
}

async function recordOf(transaction: TenantTransaction, body: CallGroupBody): Promise<CallGroupRecord> {
  return callGroupRecord(body, await zoneOfStation(transaction, body.stationId));
}

async function groupingOf(transaction: TenantTransaction, id: number): Promise<number | null> {
  const group = await findCallGroup(transaction, id, { stationIds: undefined, forUpdate: false });
  return group?.groupingId ?? null;
}
