import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { SendSlots } from './send-slots.ts';

/** An escalation or attempt that this dispatcher has claimed. A later claim of the same row has a higher fencing token. */
export type Claim = { tenantId: number; id: number; fencingToken: number };

/** After this time another dispatcher may claim the row: the first one has died or hangs. */
export const leaseMs = 10_000;

type Row = { tenant_id: number; id: number; fencing_token: number };

export function claimEscalations(outside: TenantTransaction, wanted: number): Promise<Claim[]> {
  return claim(outside, 'claim_escalations', wanted);
}

/** Claims queued attempts within the free send slots of each tenant. */
export async function claimAttempts(
  { client, now }: TenantTransaction,
  wanted: number,
  slots: Pick<SendSlots, 'usualRoom' | 'rooms'>,
): Promise<Claim[]> {
  const { tenantIds, rooms } = slots.rooms();
  const { rows } = await client.query<Row>({
    name: 'claim-attempts',
    text: 'select tenant_id, id, fencing_token from claim_attempts($1, $2, $3, $4, $5::bigint[], $6::integer[])',
    values: [wanted, now, new Date(now.getTime() + leaseMs), slots.usualRoom(), tenantIds, rooms],
  });
  return rows.map(claimOf);
}

/** Claims attempts whose dispatcher died while it was sending them. */
export function claimAbandonedAttempts(outside: TenantTransaction, wanted: number): Promise<Claim[]> {
  return claim(outside, 'claim_abandoned_attempts', wanted);
}

const claimOf = ({ tenant_id: tenantId, id, fencing_token: fencingToken }: Row): Claim => ({
  tenantId,
  id,
  fencingToken,
});

async function claim(
  { client, now }: TenantTransaction,
  from: 'claim_escalations' | 'claim_abandoned_attempts',
  wanted: number,
): Promise<Claim[]> {
  const { rows } = await client.query<Row>({
    name: from,
    text: `select tenant_id, id, fencing_token from ${from}($1, $2, $3)`,
    values: [wanted, now, new Date(now.getTime() + leaseMs)],
  });
  return rows.map(claimOf);
}

/** Lists calls that go on although their escalation is closed, except those that live in another process. */
export async function listHangUps(
  { client }: TenantTransaction,
  wanted: number,
  node: string,
): Promise<Omit<Claim, 'fencingToken'>[]> {
  const { rows } = await client.query<Omit<Row, 'fencing_token'>>({
    name: 'list-attempts-to-hang-up',
    text: 'select tenant_id, id from attempts_to_hang_up($1, $2)',
    values: [wanted, node],
  });
  return rows.map(({ tenant_id: tenantId, id }) => ({ tenantId, id }));
}

export function byTenant<One extends { tenantId: number }>(all: readonly One[]): Map<number, One[]> {
  return Map.groupBy(all, ({ tenantId }) => tenantId);
}

/** How often a provider is polled for the status of a call. */
const pollMs = 10_000;

/** Claims calls that a provider accepted and that have not ended, until the next poll. */
export async function claimAcceptedCalls(
  { client, now }: TenantTransaction,
  wanted: number,
): Promise<Omit<Claim, 'fencingToken'>[]> {
  const { rows } = await client.query<Omit<Row, 'fencing_token'>>({
    name: 'claim-accepted-calls',
    text: 'select tenant_id, id from claim_accepted_calls($1, $2, $3)',
    values: [wanted, now, new Date(now.getTime() + pollMs)],
  });
  return rows.map(({ tenant_id: tenantId, id }) => ({ tenantId, id }));
}
