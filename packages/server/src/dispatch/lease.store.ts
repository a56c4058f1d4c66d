import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { SendSlots } from './send-slots.ts';

/** Something of a tenant that this dispatcher has taken up; whoever takes it next has a higher fence. */
export type Taken = { tenantId: number; id: number; fence: number };

/** How long a dispatcher that fell silent keeps others from taking over. */
export const leaseMs = 10_000;

type Row = { tenant_id: number; id: number; fence: number };

export function takeDuties(outside: TenantTransaction, wanted: number): Promise<Taken[]> {
  return take(outside, 'take_duties', wanted);
}

/** Queued attempts, as far as each tenant has room for more. */
export async function takeDueAttempts(
  { client, now }: TenantTransaction,
  wanted: number,
  slots: Pick<SendSlots, 'usualRoom' | 'rooms'>,
): Promise<Taken[]> {
  const { tenantIds, rooms } = slots.rooms();
  const { rows } = await client.query<Row>({
    name: 'take-attempts',
    text: 'select tenant_id, id, fence from take_attempts($1, $2, $3, $4, $5::bigint[], $6::integer[])',
    values: [wanted, now, new Date(now.getTime() + leaseMs), slots.usualRoom(), tenantIds, rooms],
  });
  return rows.map(takenOf);
}

/** Attempts that were being called when their dispatcher fell silent. */
export function takeStrayAttempts(outside: TenantTransaction, wanted: number): Promise<Taken[]> {
  return take(outside, 'stray_attempts', wanted);
}

const takenOf = ({ tenant_id: tenantId, id, fence }: Row): Taken => ({ tenantId, id, fence });

async function take(
  { client, now }: TenantTransaction,
  from: 'take_duties' | 'stray_attempts',
  wanted: number,
): Promise<Taken[]> {
  const { rows } = await client.query<Row>({
    name: from,
    text: `select tenant_id, id, fence from ${from}($1, $2, $3)`,
    values: [wanted, now, new Date(now.getTime() + leaseMs)],
  });
  return rows.map(takenOf);
}

/** Calls that ring although nobody needs them any more. */
export async function listHangUps(
  { client }: TenantTransaction,
  wanted: number,
): Promise<Omit<Taken, 'fence'>[]> {
  const { rows } = await client.query<Omit<Row, 'fence'>>({
    name: 'attempts-to-hang-up',
    text: 'select tenant_id, id from attempts_to_hang_up($1)',
    values: [wanted],
  });
  return rows.map(({ tenant_id: tenantId, id }) => ({ tenantId, id }));
}

export function byTenant<One extends { tenantId: number }>(all: readonly One[]): Map<number, One[]> {
  return Map.groupBy(all, ({ tenantId }) => tenantId);
}

/** So often a provider is asked what has become of a call. */
const askMs = 10_000;

/** Calls that a provider accepted and that have not ended; nobody else asks about them for a while. */
export async function takeAcceptedCalls(
  { client, now }: TenantTransaction,
  wanted: number,
): Promise<Omit<Taken, 'fence'>[]> {
  const { rows } = await client.query<Omit<Row, 'fence'>>({
    name: 'take-accepted-calls',
    text: 'select tenant_id, id from take_accepted_calls($1, $2, $3)',
    values: [wanted, now, new Date(now.getTime() + askMs)],
  });
  return rows.map(({ tenant_id: tenantId, id }) => ({ tenantId, id }));
}
