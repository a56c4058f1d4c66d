/** One server that broadcasts: a hub of ours, or nothing but `ws`. Runs in a process of its own. */
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { createSignalRServer, type HubMessage } from '@tocsin/signalr';
import { WebSocketServer } from 'ws';
import { alarmText } from './alarm.ts';
import type { BroadcastKind, BroadcastOutcome, ServerCommand } from './broadcast.ts';

/** Sends the alarm to all; resolves when all of it was written. */
type Stage = { broadcast(): Promise<void>; clients(): number; frameLength: number };

process.once('disconnect', () => process.exit());
process.on(
  'message',
  (command: ServerCommand) => void handle(command).then((answer) => process.send?.(answer)),
);

let stage: Stage | undefined;
/** Whole broadcasts that the clients say they have. */
let acknowledged = 0;
let wake = () => {};

async function handle(command: ServerCommand): Promise<object> {
  if (command.kind === 'open') return open(command.what);
  if (command.kind === 'clients') return { clients: stage?.clients() ?? 0 };
  return measure(command.seconds);
}

async function open(what: BroadcastKind): Promise<object> {
  const server = createServer();
  const made = what === 'core' || what === 'classic' ? hub(server, what) : bare(server, what);
  stage = made;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
  const control = createTcpServer((socket: Socket) => {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      acknowledged += chunk.length;
      wake();
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
  const portOf = (address: unknown) => (address as AddressInfo).port;
  return {
    port: portOf(server.address()),
    controlPort: portOf(control.address()),
    frameLength: made.frameLength,
  };
}

/** A closed loop: two broadcasts are on their way at most, so that what is counted is what arrives. */
async function measure(seconds: number): Promise<BroadcastOutcome> {
  if (!stage) throw new Error('nothing is open');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.cpuUsage();
  const start = performance.now();
  acknowledged = 0;
  delay.enable();
  let sent = 0;
  while (performance.now() - start < seconds * 1_000) {
    await stage.broadcast();
    sent += 1;
    await untilAcknowledged(sent - 1);
  }
  await untilAcknowledged(sent);
  const elapsed = (performance.now() - start) / 1_000;
  delay.disable();
  const { user, system } = process.cpuUsage(before);
  const delivered = sent * stage.clients();
  return {
    perSecond: delivered / elapsed,
    cpuMicroseconds: (user + system) / delivered,
    stallMs: delay.percentile(99) / 1e6,
    broadcasts: sent,
  };
}

async function untilAcknowledged(broadcasts: number): Promise<void> {
  for (;;) {
    if (acknowledged >= broadcasts) return;
    await new Promise<void>((resolve) => (wake = resolve));
  }
}

type Upgrades = {
  on(event: 'upgrade', hear: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): unknown;
};

function bare(server: Upgrades, what: BroadcastKind): Stage {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request)),
  );
  // The very bytes that the hub sends.
  const text = Buffer.from(what === 'bare core' ? coreText() : classicText());
  return {
    clients: () => sockets.clients.size,
    frameLength: text.length + 4,
    broadcast: async () => {
      for (const client of sockets.clients) client.send(text, { binary: false });
    },
  };
}

function hub(
  server: Upgrades & { on(event: 'request', hear: unknown): unknown },
  family: 'core' | 'classic',
): Stage {
  const signalr = createSignalRServer({
    hub: { name: 'alarmHub', methods: {}, onConnected: async () => '1', onDisconnected: () => undefined },
    authenticate: async () => ({ user: 'bench', key: 'bench' }),
    secret: 'a secret of nobody but this benchmark',
    nodeAddress: 'http://127.0.0.1:1',
    limits: {
      maxConnections: 50_000,
      maxConnectionsPerIdentity: 50_000,
      maxPendingHandshakes: 50_000,
      maxNegotiatesPerMinute: 1e9,
    },
    clock: () => Date.now(),
  });
  const pathOf = ({ url = '' }: IncomingMessage) =>
    (url.split('?', 1)[0] ?? '').replace(/^\/(alarmHub|signalr)/, '');
  server.on(
    'upgrade',
    (request, socket, head) => void signalr[family].upgrade(request, socket, head, pathOf(request)),
  );
  server.on('request', (request: IncomingMessage, response: never) => {
    void signalr[family].handle(request, response, pathOf(request));
  });
  return {
    clients: () => signalr.connections().size,
    frameLength: Buffer.byteLength(family === 'core' ? coreText() : classicText()) + 4,
    broadcast: async () => {
      const message: HubMessage = {
        invocations: [{ target: 'onAlarm', argumentsJson: `[${alarmText}]` }],
        cursor: '1',
      };
      await signalr.fanOut.broadcast([...signalr.connections()], () => message);
    },
  };
}

function coreText(): string {
  return `{"type":1,"target":"onAlarm","arguments":[${alarmText}]}\u001e`;
}

function classicText(): string {
  return `{"C":"1","M":[{"H":"alarmHub","M":"onAlarm","A":[${alarmText}]}]}`;
}
