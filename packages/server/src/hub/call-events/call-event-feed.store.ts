import type { Sound } from '@tocsin/contract';
import { findEscalations } from '../../dispatch/views/call-progress.store.ts';
import { findTimelineCalls } from '../../dispatch/views/timeline.store.ts';
import type { Database } from '../../postgres/database.ts';
import { outsideTenants, readTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import {
  type CallEvent,
  type CallEventsPage,
  type CallEventsPosition,
  positionAfter,
} from '../subscriptions/call-event.ts';
import { onCallChanged, onPlaySound, toCallChange } from './call-event.wire.ts';

type Row = {
  id: number;
  transactionId: number;
  kind: string;
  escalationId: number | null;
  attemptId: number | null;
  stationId: number | null;
  sound: Sound | null;
};

/** A page is some hundred kilobytes for a client that gets all of it. */
const pageSize = 256;

/** The oldest transaction that may still commit. */
async function readOldestTransaction({ client }: TenantTransaction): Promise<number> {
  const { rows } = await client.query<{ oldest: number }>({
    name: 'read-oldest-transaction',
    text: 'select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest',
  });
  return rows[0]?.oldest ?? 0;
}

/** The position from which everything that commits later is read. */
export function readCallEventsPosition(database: Database): Promise<CallEventsPosition> {
  return outsideTenants(database, async (transaction) => ({
    since: await readOldestTransaction(transaction),
    known: new Map(),
  }));
}

/** The tenants that may have new call events. */
export function listTenantsWithCallEvents(
  database: Database,
  positions: readonly { tenantId: number; since: number }[],
): Promise<number[]> {
  return outsideTenants(database, async ({ client }) => {
    const { rows } = await client.query<{ tenantId: number }>({
      name: 'tenants-with-new-call-events',
      text: 'select tenant_id as "tenantId" from tenants_with_new_call_events($1, $2)',
      values: [positions.map(({ tenantId }) => tenantId), positions.map(({ since }) => since)],
    });
    return rows.map(({ tenantId }) => tenantId);
  });
}

/** The next call events of a tenant in order, with the calls as they are now; all from one snapshot. */
export function readCallEvents(
  database: Database,
  tenantId: number,
  position: CallEventsPosition,
): Promise<CallEventsPage> {
  return readTenant(database, tenantId, async (transaction) => {
    const rows = await readRows(transaction, position);
    const isFull = rows.length === pageSize;
    const next = positionAfter(position, rows, { oldest: await readOldestTransaction(transaction), isFull });
    return { callEvents: await callEventsOf(transaction, rows), next, isFull };
  });
}

async function readRows(
  { client, tenantId }: TenantTransaction,
  { since, known }: CallEventsPosition,
): Promise<Row[]> {
  const { rows } = await client.query<Row>({
    name: 'read-call-events',
    text: `select id, transaction_id as "transactionId", kind, escalation_id as "escalationId", attempt_id as "attemptId",
             station_id as "stationId", sound
           from call_events where tenant_id = $1 and transaction_id >= $2 and id <> all ($3::bigint[])
           order by transaction_id, id limit $4`,
    values: [tenantId, since, [...known.keys()], pageSize],
  });
  return rows;
}

async function callEventsOf(transaction: TenantTransaction, rows: readonly Row[]): Promise<CallEvent[]> {
  if (rows.length === 0) return [];
  const escalations = await findEscalations(
    transaction,
    distinct(rows.map(({ escalationId }) => escalationId)),
  );
  const attempts = await findTimelineCalls(transaction, distinct(rows.map(({ attemptId }) => attemptId)));
  return rows.flatMap(
    ({ id, transactionId, kind, escalationId, attemptId, stationId, sound }): CallEvent[] => {
      if (sound) return [{ id, transactionId, stationId, call: onPlaySound(sound) }];
      const escalation = escalations.get(escalationId ?? 0);
      // The escalation was deleted meanwhile.
      if (!escalation) return [];
      const change = toCallChange(kind, escalation, attempts.get(attemptId ?? 0));
      return [{ id, transactionId, stationId: escalation.stationId, call: onCallChanged(change) }];
    },
  );
}

function distinct(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.filter((id) => id !== null))];
}
