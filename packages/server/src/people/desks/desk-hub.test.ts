import type { DeskAnswer } from '@tocsin/contract';
import { expect } from 'vitest';
import { addUser, callerOf, listen, logIn, test } from '../../hub/testing/hub.fixture.ts';

test('the hub names the person who acknowledges at a desk, and lets them go with the desk', async ({
  site,
}) => {
  const [server, other] = [await site.start(), await site.start()];
  const admin = await logIn(server);
  const anna = await addUser(server, admin, { username: 'anna' });
  await anna.put(`/users/${anna.userId}/pin`, { pin: '4711' });
  const room = await addUser(server, admin, { username: 'room', role: 'viewer' });
  await room.post('/auth/desk', { name: 'Control room' });
  const watching = await listen(other, admin.token);
  await watching.subscribe({ changes: true });
  const alarmId = await admin.raise('boiler');
  const body = { userId: anna.userId, pin: '4711' };
  // At the other server, and at once: it need not know the desk yet.
  const { access_token } = await callerOf(other.url, room.token).post<DeskAnswer>('/auth/desk/switch', body);
  const atDesk = await listen(server, access_token);
  await callerOf(server.url, access_token).post(`/alarms/${alarmId}/acknowledge`);
  const acknowledged = () =>
    watching.changes.flatMap(({ kind, alarm }) => (kind === 'acknowledged' ? [alarm.ackUser] : []));
  await expect.poll(acknowledged, { timeout: 15_000 }).toEqual(['anna']);
  await room.delete('/auth/desk');
  expect(String(await atDesk.closed)).toContain('revoked');
});
