import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** Sums over all tenants. Counts stop at the limit of the reading. */
export type CallingState = {
  openEscalations: number;
  overdueEscalations: number;
  /** When the escalation that is due for longest fell due, or will. Undefined if none is open. */
  oldestDueAt: Date | undefined;
  queuedAttempts: number;
  /** Tenants whose channels are all down. */
  tenantsWithoutChannel: number;
};

type StateRow = {
  open_escalations: number;
  overdue_escalations: number;
  oldest_due_at: Date | null;
  queued_attempts: number;
  tenants_without_channel: number;
};

export async function readCallingState(
  { client }: TenantTransaction,
  overdueBefore: Date,
  maxCount: number,
): Promise<CallingState> {
  const { rows } = await client.query<StateRow>({
    name: 'read-calling-state',
    text: 'select * from calling_state($1, $2)',
    values: [overdueBefore, maxCount],
  });
  const [row] = rows;
  if (!row) throw new Error('the database returned no state of calling');
  return {
    openEscalations: row.open_escalations,
    overdueEscalations: row.overdue_escalations,
    oldestDueAt: row.oldest_due_at ?? undefined,
    queuedAttempts: row.queued_attempts,
    tenantsWithoutChannel: row.tenants_without_channel,
  };
}

export type ChannelCount = { medium: string; channels: number; down: number };

/** Counts the enabled channels of all tenants by medium. */
export async function countChannels(
  { client }: TenantTransaction,
  maxCount: number,
): Promise<ChannelCount[]> {
  const { rows } = await client.query<ChannelCount>({
    name: 'count-channels',
    text: 'select medium, channels, down from channel_states($1)',
    values: [maxCount],
  });
  return rows;
}
