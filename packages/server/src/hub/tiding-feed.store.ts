import type { Sound } from '@tocsin/contract';
import { findDuties } from '../dispatch/call-progress.store.ts';
import { findTimelineCalls } from '../dispatch/timeline.store.ts';
import type { Database } from '../postgres/database.ts';
import { outsideTenants, readTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { placeAfter, type Tiding, type TidingsPage, type TidingsPlace } from './tiding.ts';
import { onCallChanged, onPlaySound, toCallChange } from './tiding.wire.ts';

type Row = {
  id: number;
  writtenBy: number;
  kind: string;
  dutyId: number | null;
  attemptId: number | null;
  stationId: number | null;
  sound: Sound | null;
};

/** Tidings of one page: some hundred kilobytes for a client that hears them all. */
const pageSize = 256;

/** The oldest transaction that may still have something to show to who looks later. */
async function readOldest({ client }: TenantTransaction): Promise<number> {
  const { rows } = await client.query<{ oldest: number }>({
    name: 'read-oldest-writer',
    text: 'select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest',
  });
  return rows[0]?.oldest ?? 0;
}

/** Where whoever begins to listen now begins. */
export function readTidingsPlace(database: Database): Promise<TidingsPlace> {
  return outsideTenants(database, async (transaction) => ({
    since: await readOldest(transaction),
    known: new Map(),
  }));
}

/** Those of the tenants that may have something new. */
export function listTenantsWithTidings(
  database: Database,
  places: readonly { tenantId: number; since: number }[],
): Promise<number[]> {
  return outsideTenants(database, async ({ client }) => {
    const { rows } = await client.query<{ tenantId: number }>({
      name: 'fresh-tidings',
      text: 'select tenant_id as "tenantId" from fresh_tidings($1, $2)',
      values: [places.map(({ tenantId }) => tenantId), places.map(({ since }) => since)],
    });
    return rows.map(({ tenantId }) => tenantId);
  });
}

/** What is new of a tenant, in order, and how things stand with it; all of it on one snapshot. */
export function readTidings(database: Database, tenantId: number, place: TidingsPlace): Promise<TidingsPage> {
  return readTenant(database, tenantId, async (transaction) => {
    const rows = await readRows(transaction, place);
    const isFull = rows.length === pageSize;
    const next = placeAfter(place, rows, { oldest: await readOldest(transaction), isFull });
    return { tidings: await tidingsOf(transaction, rows), next, isFull };
  });
}

async function readRows(
  { client, tenantId }: TenantTransaction,
  { since, known }: TidingsPlace,
): Promise<Row[]> {
  const { rows } = await client.query<Row>({
    name: 'read-tidings',
    text: `select id, written_by as "writtenBy", kind, duty_id as "dutyId", attempt_id as "attemptId",
             station_id as "stationId", sound
           from tidings where tenant_id = $1 and written_by >= $2 and id <> all ($3::bigint[])
           order by written_by, id limit $4`,
    values: [tenantId, since, [...known.keys()], pageSize],
  });
  return rows;
}

async function tidingsOf(transaction: TenantTransaction, rows: readonly Row[]): Promise<Tiding[]> {
  if (rows.length === 0) return [];
  const duties = await findDuties(transaction, distinct(rows.map(({ dutyId }) => dutyId)));
  const attempts = await findTimelineCalls(transaction, distinct(rows.map(({ attemptId }) => attemptId)));
  return rows.flatMap(({ id, writtenBy, kind, dutyId, attemptId, stationId, sound }): Tiding[] => {
    if (sound) return [{ id, writtenBy, stationId, call: onPlaySound(sound) }];
    const duty = duties.get(dutyId ?? 0);
    // It was taken away meanwhile, with all that belongs to it.
    if (!duty) return [];
    const change = toCallChange(kind, duty, attempts.get(attemptId ?? 0));
    return [{ id, writtenBy, stationId: duty.stationId, call: onCallChanged(change) }];
  });
}

function distinct(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.filter((id) => id !== null))];
}
