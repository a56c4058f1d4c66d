import { WebSocket } from 'ws';
import type { HubListener } from './listener.ts';

type Frame = {
  C?: string;
  S?: number;
  G?: string;
  E?: string;
  I?: string;
  M?: { M: string; A: [{ path: string }] }[];
};

export type ClassicTransport = 'webSockets' | 'serverSentEvents' | 'longPolling';

export type ClassicListener = HubListener & {
  /** The callbacks that the hub called, in order, with their argument. */
  readonly heard: readonly { callback: string; argument: unknown }[];
  /** Whether the server has ended the connection. */
  isEnded(): boolean;
  /** Calls a method of the hub, and waits until it has answered. */
  invoke(method: string, ...args: unknown[]): Promise<void>;
};

/** The state of a classic connection between requests. */
type Session = {
  readonly base: string;
  readonly query: Record<string, string>;
  readonly heard: { callback: string; argument: unknown }[];
  cursor: string;
  isStopped: boolean;
  isEnded: boolean;
};

type Transport = { send(data: string): Promise<unknown>; end(): void };

const connectionData = '[{"name":"alarmhub"}]';

const urlOf = ({ base, query }: Session, endpoint: string, more: Record<string, string> = {}) =>
  `${base}/signalr/${endpoint}?${new URLSearchParams({ ...query, ...more })}`;

/** A client of ASP.NET SignalR 2, written without its library, over the given transport. */
export async function listenClassic(
  base: string,
  token: string,
  transport: ClassicTransport,
): Promise<ClassicListener> {
  const common = { clientProtocol: '2.1', connectionData, access_token: token };
  const answer = await fetch(`${base}/signalr/negotiate?${new URLSearchParams(common)}`);
  if (!answer.ok) throw new Error(`negotiate answered ${answer.status}`);
  const { ConnectionToken: connectionToken } = (await answer.json()) as { ConnectionToken: string };
  const query = { ...common, transport, connectionToken };
  const session: Session = { base, query, heard: [], cursor: '', isStopped: false, isEnded: false };
  const connection = await transports[transport](session);
  const started = await fetch(urlOf(session, 'start'));
  if (!started.ok) throw new Error(`start answered ${started.status}`);
  const alarms = () => session.heard.filter(({ callback }) => callback === 'onAlarm');
  return {
    heard: session.heard,
    paths: () => alarms().map(({ argument }) => (argument as { path: string }).path),
    isEnded: () => session.isEnded,
    invoke: async (method, ...args) =>
      void (await connection.send(JSON.stringify({ H: 'alarmhub', M: method, A: args, I: '0' }))),
    stop: async () => {
      session.isStopped = true;
      await fetch(urlOf(session, 'abort'), { method: 'POST' }).catch(() => undefined);
      connection.end();
    },
  };
}

function receive(session: Session, { C: cursor = session.cursor, M: calls = [], E: error }: Frame): void {
  session.cursor = cursor;
  if (error !== undefined) session.isEnded = true;
  for (const { M: callback, A: args } of calls) session.heard.push({ callback, argument: args[0] });
}

/** Invokes a hub method by a separate request, for transports that only carry messages to the client. */
async function post(session: Session, data: string): Promise<void> {
  const answer = await fetch(urlOf(session, 'send'), { method: 'POST', body: new URLSearchParams({ data }) });
  if (!answer.ok) throw new Error(`send answered ${answer.status}`);
}

const transports = { webSockets, serverSentEvents, longPolling };

function webSockets(session: Session): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(urlOf(session, 'connect').replace(/^http/, 'ws'));
    let answered = () => {};
    const send = (data: string) =>
      new Promise<void>((done) => {
        answered = done;
        socket.send(data);
      });
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Frame;
      receive(session, frame);
      if (frame.I !== undefined) answered();
      if (frame.S === 1) resolve({ send, end: () => socket.terminate() });
    });
    socket.on('close', () => {
      session.isEnded = true;
    });
  });
}

async function serverSentEvents(session: Session): Promise<Transport> {
  const abort = new AbortController();
  const answer = await fetch(urlOf(session, 'connect'), { signal: abort.signal });
  if (!answer.ok) throw new Error(`connect answered ${answer.status}`);
  await new Promise<void>((resolve) => void readEvents(session, answer, resolve).catch(() => undefined));
  return { send: (data) => post(session, data), end: () => abort.abort() };
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
      receive(session, frame);
      if (frame.S === 1) begun();
    }
  }
  session.isEnded = true;
}

async function longPolling(session: Session): Promise<Transport> {
  const poll = async (endpoint: string) => {
    const body = new URLSearchParams({ messageId: session.cursor });
    const answer = await fetch(urlOf(session, endpoint), { method: 'POST', body });
    if (!answer.ok) throw new Error(`${endpoint} answered ${answer.status}`);
    receive(session, (await answer.json()) as Frame);
  };
  await poll('connect');
  const keepPolling = async () => {
    while (!session.isStopped && !session.isEnded) await poll('poll');
  };
  void keepPolling().catch(() => {
    session.isEnded = true;
  });
  return { send: (data) => post(session, data), end: () => undefined };
}
