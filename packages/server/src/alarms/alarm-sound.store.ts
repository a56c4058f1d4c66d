import type { BareTransaction } from '../postgres/tenant-transaction.ts';
import type { AlarmSound } from './alarm-orders.ts';

/** For the hubs of all servers: which sounds consoles are to play. */
export function insertSounds(
  { client, tenantId }: BareTransaction,
  sounds: readonly AlarmSound[],
  now: Date,
): Promise<unknown> {
  return client.query({
    name: 'insert-sounds',
    text: `insert into tidings (tenant_id, at, kind, station_id, sound)
           select $1, $3, 'sound', (s.sound ->> 'stationId')::bigint, s.sound
           from jsonb_array_elements($2) as s(sound)`,
    values: [tenantId, JSON.stringify(sounds), now],
  });
}
