/** Ten thousand clients that do nothing but count bytes. Runs in a process of its own. */
import { randomBytes } from 'node:crypto';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { BroadcastKind, ClientsCommand } from './broadcast.ts';

process.once('disconnect', () => process.exit());
process.on(
  'message',
  (command: ClientsCommand) => void open(command).then(() => process.send?.({ open: true })),
);

/** One for all: what is read is counted and forgotten. */
const shared = Buffer.alloc(1_048_576);
const atOnce = 100;

async function open({ what, port, controlPort, clients, frameLength }: ClientsCommand): Promise<void> {
  const control = connect({ port: controlPort, host: '127.0.0.1', noDelay: true });
  const perBroadcast = frameLength * clients;
  let isCounting = false;
  let bytes = 0;
  let whole = 0;
  const count = (read: number) => {
    if (!isCounting) return;
    bytes += read;
    const reached = Math.floor(bytes / perBroadcast);
    if (reached === whole) return;
    control.write(Buffer.alloc(reached - whole));
    whole = reached;
  };
  let opened = 0;
  const opener = async () => {
    while (opened < clients) {
      opened += 1;
      await openClient(port, await pathOf(what, port), what, count);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, opener));
  // The handshake has been received by now.
  await new Promise((resolve) => setTimeout(resolve, 500));
  isCounting = true;
}

const agent = new Agent({ keepAlive: true, maxSockets: 50 });
const connectionData = encodeURIComponent('[{"name":"alarmhub"}]');

async function pathOf(what: BroadcastKind, port: number): Promise<string> {
  if (what !== 'classic') return '/alarmHub';
  const query = `clientProtocol=2.1&connectionData=${connectionData}`;
  const text = await read(port, `/signalr/negotiate?${query}`);
  const { ConnectionToken } = JSON.parse(text) as { ConnectionToken: string };
  return `/signalr/connect?${query}&transport=webSockets&connectionToken=${encodeURIComponent(ConnectionToken)}`;
}

function read(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, agent }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

/** A masked frame with the handshake of a Core client; the mask is zero. */
const handshake = (() => {
  const text = Buffer.from('{"protocol":"json","version":1}\u001e');
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
})();

function openClient(
  port: number,
  path: string,
  what: BroadcastKind,
  count: (read: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let greeted = false;
    const greet = (read: number) => {
      greeted = true;
      const status = shared.toString('latin1', 9, Math.min(read, 12));
      if (status !== '101') return reject(new Error(`refused with ${shared.toString('latin1', 0, read)}`));
      if (what === 'core') socket.write(handshake);
      return resolve();
    };
    const callback = (read: number) => {
      if (greeted) count(read);
      else greet(read);
      return true;
    };
    const socket: Socket = connect({ port, host: '127.0.0.1', onread: { buffer: shared, callback } });
    socket.on('error', reject);
    socket.on('connect', () => {
      const key = randomBytes(16).toString('base64');
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
      );
    });
  });
}
