import { WebSocket } from 'ws';
import type { HubListener } from './hub-listener.ts';

type Frame = { C?: string; S?: number; G?: string; M?: { M: string; A: [{ path: string }] }[] };

/** What a classic client knows of its connection from one request to the next. */
type Session = {
  readonly base: string;
  readonly query: Record<string, string>;
  readonly paths: string[];
  cursor: string;
  isStopped: boolean;
};

const connectionData = '[{"name":"alarmhub"}]';

const urlOf = ({ base, query }: Session, endpoint: string, more: Record<string, string> = {}) =>
  `${base}/signalr/${endpoint}?${new URLSearchParams({ ...query, ...more })}`;

/** A client of ASP.NET SignalR 2 that speaks the protocol by hand, over the transport it is told. */
export async function listenClassic(
  base: string,
  token: string,
  transport: 'webSockets' | 'serverSentEvents' | 'longPolling',
): Promise<HubListener> {
  const common = { clientProtocol: '2.1', connectionData, access_token: token };
  const answer = await fetch(`${base}/signalr/negotiate?${new URLSearchParams(common)}`);
  if (!answer.ok) throw new Error(`negotiate answered ${answer.status}`);
  const { ConnectionToken: connectionToken } = (await answer.json()) as { ConnectionToken: string };
  const query = { ...common, transport, connectionToken };
  const session: Session = { base, query, paths: [], cursor: '', isStopped: false };
  const end = await transports[transport](session);
  const started = await fetch(urlOf(session, 'start'));
  if (!started.ok) throw new Error(`start answered ${started.status}`);
  return {
    paths: () => session.paths,
    stop: async () => {
      session.isStopped = true;
      await fetch(urlOf(session, 'abort'), { method: 'POST' }).catch(() => undefined);
      end();
    },
  };
}

function take(session: Session, { C: cursor = session.cursor, M: calls = [] }: Frame): void {
  session.cursor = cursor;
  for (const { M: method, A: args } of calls) if (method === 'onAlarm') session.paths.push(args[0].path);
}

const transports = { webSockets, serverSentEvents, longPolling };

function webSockets(session: Session): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(urlOf(session, 'connect').replace(/^http/, 'ws'));
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Frame;
      take(session, frame);
      if (frame.S === 1) resolve(() => socket.terminate());
    });
  });
}

async function serverSentEvents(session: Session): Promise<() => void> {
  const abort = new AbortController();
  const answer = await fetch(urlOf(session, 'connect'), { signal: abort.signal });
  if (!answer.ok) throw new Error(`connect answered ${answer.status}`);
  await new Promise<void>((resolve) => void readEvents(session, answer, resolve).catch(() => undefined));
  return () => abort.abort();
}

async function readEvents(session: Session, answer: Response, begun: () => void): Promise<void> {
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString();
    const events = text.split(/\r?\n\r?\n/);
    text = events.pop() ?? '';
    for (const event of events) {
      const data = event.replace(/^data: /, '');
      if (data === 'initialized') continue;
      const frame = JSON.parse(data) as Frame;
      take(session, frame);
      if (frame.S === 1) begun();
    }
  }
}

async function longPolling(session: Session): Promise<() => void> {
  const poll = async (endpoint: string) => {
    const body = new URLSearchParams({ messageId: session.cursor });
    const answer = await fetch(urlOf(session, endpoint), { method: 'POST', body });
    if (!answer.ok) throw new Error(`${endpoint} answered ${answer.status}`);
    take(session, (await answer.json()) as Frame);
  };
  await poll('connect');
  const keepPolling = async () => {
    while (!session.isStopped) await poll('poll');
  };
  void keepPolling().catch(() => undefined);
  return () => undefined;
}
