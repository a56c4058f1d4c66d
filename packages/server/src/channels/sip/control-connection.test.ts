import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type ControlEvent, openControl } from './control-connection.ts';

/** The other end of a control socket, as far as a test plays it. */
async function connection(onRequest: (socket: Socket, request: { command: string; token: string }) => void) {
  const events: ControlEvent[] = [];
  let closed = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const [, json = ''] = /^\d+:(.*),$/s.exec(String(bytes)) ?? [];
      onRequest(socket, JSON.parse(json) as { command: string; token: string });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const listener = {
    onEvent: (event: ControlEvent) => void events.push(event),
    onClosed: () => void (closed += 1),
  };
  const { port } = server.address() as AddressInfo;
  const control = await openControl(port, listener, { withinMs: 1_000, isAlive: () => true });
  if (!control) throw new Error('not connected');
  onTestFinished(() => control.close());
  return { control, events, closedTimes: () => closed };
}

const frame = (value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `${Buffer.byteLength(text)}:${text},`;
};

test('replies are told apart by their tokens, and events are not lost between them', async () => {
  const waiting: string[] = [];
  const { control, events } = await connection((socket, { token, command }) => {
    waiting.push(frame({ response: true, ok: true, data: command, token }));
    if (waiting.length < 2) return;
    const event = frame({ event: true, class: 'call', type: 'CALL_RINGING', param: 'sip:x' });
    socket.write([waiting[1], event, waiting[0]].join(''));
  });
  const first = control.command('one');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await Promise.all([first, control.command('two')])).toEqual(['one', 'two']);
  expect(events).toEqual([{ type: 'CALL_RINGING', param: 'sip:x' }]);
});

test('frames that are malformed are skipped', async () => {
  const { control, events } = await connection((socket, { token }) => {
    socket.write(['junk', frame('{"event":'), frame('[]'), frame('null'), frame({ event: true })].join(''));
    socket.write(frame({ event: true, type: 'CALL_CLOSED' }));
    socket.write(frame({ response: true, ok: true, data: 'fine', token }));
  });
  expect(await control.command('x')).toBe('fine');
  expect(events).toEqual([{ type: 'CALL_CLOSED', param: '' }]);
});

test('a process that dies answers all commands with nothing, and is known to be gone', async () => {
  const { control, closedTimes } = await connection((socket) => socket.destroy());
  expect(await control.command('x')).toBeUndefined();
  expect(closedTimes()).toBe(1);
  expect(await control.command('y')).toBeUndefined();
});

test('a port on which nobody listens is given up in time', async () => {
  const started = performance.now();
  const listener = { onEvent: () => {}, onClosed: () => {} };
  expect(await openControl(9, listener, { withinMs: 200, isAlive: () => true })).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(1_500);
});
