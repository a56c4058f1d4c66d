import { buildRoster } from '../console/roster-plant.ts';
import { buildWaterworks, raiseNight } from '../console/waterworks.ts';
import type { HttpClient } from '../http/http-client.ts';
import { create, granted, raise, read } from '../plant.ts';

/** The administrator of the tenant. */
export const lena = { username: 'lena.storm', password: 'correct horse battery staple' };
export const tenantName = 'Lakeside Water';

/** Words that occur in no other tenant. */
export const ownWords = [
  tenantName,
  lena.username,
  'Valmont',
  'Chlorine residual',
  'lakeside-key',
  'mail-secret',
];

/** Fills a tenant through the interface: plant, people, rosters, alarms, calls, notes, files, keys. */
export async function fillTenant(client: HttpClient): Promise<{ apiKey: string }> {
  const works = await buildWaterworks({ client });
  const roster = await buildRoster({ client });
  await raiseNight({ client }, works);
  const settings = {
    host: '127.0.0.1',
    from: 'alarms@example.org',
    username: 'alarms',
    password: 'mail-secret',
  };
  await create(client, 'channels', { name: 'Mail of Lakeside', kind: 'email', settings });
  const scenarioId = await create(client, 'scenarios', {
    name: 'Flood',
    alarmActions: [{ type: 'CallGroup', id: roster.groupId }],
  });
  const parentId = await create(client, 'taggroups', { name: 'Weirs', stationId: 1 });
  await create(client, 'taggroups', { name: 'Weir 2', stationId: 1, parentId, scenarioId });
  for (const path of ['Weir.1', 'Weir.2', 'Weir.1'])
    await raise(client, {
      path,
      alarmMessage: 'Level high',
      alarmActions: [{ type: 'CallGroup', id: roster.groupId }],
    });
  granted(
    await client.post('/api/v1/call/users', { userIds: [roster.userIds[0]], msgText: 'Drill at noon' }),
  );
  granted(await client.post('/api/v1/me/views', { name: 'Mine', search: 'priority=1', shared: true }));
  granted(await client.post('/api/v1/calendars', { callGroupId: roster.groupId }));
  const day = { from: '2026-01-01T06:00:00Z', to: '2026-01-02T06:00:00Z' };
  await create(client, 'leaves', { userId: roster.userIds[1], ...day });
  const made = granted<{ key: string }>(
    await client.post('/api/v1/apikeys', { name: 'lakeside-key', role: 'operator' }),
  );
  return { apiKey: made.key };
}

/** The configuration of a tenant as the interface shows it. Alarms and calls go on while the server runs. */
export async function readConfiguration(client: HttpClient): Promise<unknown> {
  const paths = ['users', 'callgroups', 'stations', 'dataservers', 'taggroups', 'scenarios', 'channels'];
  return Promise.all(paths.map((path) => read(client, `${path}?limit=200`)));
}
