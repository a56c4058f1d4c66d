import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** Something of a tenant that this dispatcher has taken up; whoever takes it next has a higher fence. */
export type Taken = { tenantId: number; id: number; fence: number };

/** How long a dispatcher that fell silent keeps others from taking over. */
export const leaseMs = 10_000;

type Row = { tenant_id: number; id: number; fence: number };

export function takeDuties(outside: TenantTransaction, wanted: number): Promise<Taken[]> {
  return take(outside, 'take_duties', wanted);
}

export function takeDueAttempts(outside: TenantTransaction, wanted: number): Promise<Taken[]> {
  return take(outside, 'due_attempts', wanted);
}

/** Attempts that were being called when their dispatcher fell silent. */
export function takeStrayAttempts(outside: TenantTransaction, wanted: number): Promise<Taken[]> {
  return take(outside, 'stray_attempts', wanted);
}

async function take(
  { client, now }: TenantTransaction,
  from: 'take_duties' | 'due_attempts' | 'stray_attempts',
  wanted: number,
): Promise<Taken[]> {
  const { rows } = await client.query<Row>({
    name: from,
    text: `select tenant_id, id, fence from ${from}($1, $2, $3)`,
    values: [wanted, now, new Date(now.getTime() + leaseMs)],
  });
  return rows.map(({ tenant_id: tenantId, id, fence }) => ({ tenantId, id, fence }));
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
