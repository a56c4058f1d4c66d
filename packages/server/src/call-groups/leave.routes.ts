import { Leave, LeaveBody, LeavePage, ListLeaves } from '@tocsin/contract';
import { formatInZone, formatUtc, parseDateTime } from '@tocsin/domain';
import { invalid, notFound } from '../common/problem.ts';
import { collectionRoutes } from '../http/collection.routes.ts';
import type { RequestContext } from '../http/collection.ts';
import { visibleItems } from '../http/collection-access.ts';
import type { HttpApp } from '../http/http-app.ts';
import { zoneOfStation } from '../plant/station.store.ts';
import type { PageBounds } from '../postgres/collections/read-page.ts';
import { requireReferences, stationsFor } from '../postgres/collections/references.ts';
import type { StationScope } from '../postgres/collections/visibility.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import {
  deleteLeave,
  findLeave,
  insertLeave,
  type LeaveRecord,
  type LeaveRow,
  listLeaves,
  updateLeave,
} from './leave.store.ts';
import { requireOwnDuty } from './own-duty.ts';

/** Times at which people are on duty nowhere. People enter their own, planners those of everybody. */
export function leaveRoutes(app: HttpApp, runtime: Runtime): void {
  collectionRoutes(app, runtime, {
    path: 'leaves',
    noun: 'leave',
    permission: { read: 'callgroups:read', write: 'self' },
    schema: { item: Leave, page: LeavePage, body: LeaveBody, query: ListLeaves },
    ...visibleItems({ list, find: findLeave, toWire }),
    create: async (context, body) => insertLeave(context.transaction, await readLeave(context, body)),
    replace: async (context, id, body) => {
      await requireOwn(context, id);
      await updateLeave(context.transaction, id, await readLeave(context, body));
    },
    remove: async (context, id) => {
      await requireOwn(context, id);
      await deleteLeave(context.transaction, id);
    },
  });
}

async function list(
  transaction: TenantTransaction,
  { from, to, userId, stationIds }: ListLeaves & StationScope,
  bounds: PageBounds,
) {
  const zone = await zoneOfStation(transaction, undefined);
  const period = { from: instant('from', from, zone), to: instant('to', to, zone) };
  const visible = await stationsFor(transaction, stationIds, { users: userId });
  return listLeaves(transaction, { ...period, userId, stationIds: visible }, bounds);
}

async function requireOwn({ transaction, principal }: RequestContext, id: number): Promise<void> {
  const { stationIds } = principal;
  const leave = await findLeave(transaction, id, { stationIds, forUpdate: true });
  if (!leave) throw notFound('leave', id);
  requireOwnDuty(principal, leave.userId);
}

async function readLeave(
  { transaction, principal }: RequestContext,
  { userId, from, to }: LeaveBody,
): Promise<LeaveRecord> {
  requireOwnDuty(principal, userId);
  await requireReferences(transaction, 'users', {
    references: [{ pointer: '/userId', id: userId }],
    stationIds: principal.stationIds,
  });
  const zone = await zoneOfStation(transaction, undefined);
  const startsAt = instant('/from', from, zone);
  const endsAt = instant('/to', to, zone);
  if (!startsAt || !endsAt || startsAt >= endsAt) throw invalid('/to', 'must be after from');
  return { userId, startsAt, endsAt };
}

function instant(pointer: string, text: string | undefined, zone: string): Date | undefined {
  if (text === undefined) return undefined;
  const found = parseDateTime(text, zone);
  if (!found) throw invalid(pointer, `${text} is not an ISO 8601 date-time`);
  return found;
}

function toWire({ id, userId, user, startsAt, endsAt, timeZone, lastChange }: LeaveRow): Leave {
  return {
    id,
    userId,
    user,
    from: formatInZone(timeZone, startsAt),
    to: formatInZone(timeZone, endsAt),
    lastChange: formatUtc(lastChange),
  };
}
