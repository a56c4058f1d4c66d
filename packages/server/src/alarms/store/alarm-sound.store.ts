import type { Statement } from '../../postgres/statement.ts';
import type { AlarmSound } from '../decide/command-orders.ts';

/** Stores sounds as call events, which the hubs of all servers send to consoles. */
export function insertSounds(tenantId: number, sounds: readonly AlarmSound[], now: Date): Statement {
  return {
    name: 'insert-sounds',
    text: `insert into call_events (tenant_id, at, kind, station_id, sound)
           select $1, $3, 'sound', (s.sound ->> 'stationId')::bigint, s.sound
           from jsonb_array_elements($2) as s(sound)`,
    values: [tenantId, JSON.stringify(sounds), now],
  };
}
