import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { SmppSession } from './smpp-session.ts';

const timing = { responseMs: 10_000, idleMs: 60_000 };

test('a silent connection is given up, also when the timer fires a little before its time', async ({
  onTestFinished,
}) => {
  const centre = createServer((connection) => connection.resume()).listen(0, '127.0.0.1');
  onTestFinished(() => void centre.close());
  await once(centre, 'listening');
  const socket = connect((centre.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const session = new SmppSession(socket, timing, async () => 0);
  const response = session.request('enquire_link');
  // The clock of the process is not faked: for it no time passes.
  vi.advanceTimersByTime(timing.responseMs);
  expect(await response).toEqual({ kind: 'late' });
  await session.ended;
  expect(session.isOpen).toBe(false);
});
