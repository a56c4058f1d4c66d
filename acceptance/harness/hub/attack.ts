import { WebSocket } from 'ws';
import {
  classicMessage,
  coreFrames,
  damaged,
  oneOf,
  packedFrames,
  type Random,
  randomFrom,
} from './attack-frames.ts';

export type AttackSettings = {
  readonly base: string;
  /** The attacker's own valid token. */
  readonly token: string;
  /** Connection tokens of another user, one for each protocol. */
  readonly stolen: { readonly core: string; readonly classic: string };
  readonly frames: number;
  readonly seed: number;
};

export type AttackReport = {
  frames: number;
  requests: number;
  /** Number of answers by status. */
  statuses: Record<string, number>;
  /** Answers that the server must never give. */
  faults: string[];
};

type AttackStep = (each: Attack) => Promise<void>;
type Attack = AttackSettings & { readonly random: Random; readonly report: AttackReport };

const workers = 24;
const framesPerConnection = 40;
const jsonHandshake = '{"protocol":"json","version":1}\u001e';
const connectionData = '[{"name":"alarmhub"}]';
const timeoutMs = 10_000;

/** Sends `frames` frames and requests over all transports of both protocols, as fast as the server accepts them. */
export async function attack(settings: AttackSettings): Promise<AttackReport> {
  const report: AttackReport = { frames: 0, requests: 0, statuses: {}, faults: [] };
  const isOver = () => report.frames + report.requests >= settings.frames;
  const run = async (worker: number) => {
    const each: Attack = { ...settings, random: randomFrom(settings.seed * 1_000 + worker), report };
    while (!isOver()) await oneOf(each.random, attackSteps)(each);
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => run(worker)));
  return report;
}

const attackSteps: readonly [AttackStep, ...AttackStep[]] = [
  (each: Attack) => coreSocket(each, jsonHandshake, coreFrames),
  (each: Attack) => coreSocket(each, '{"protocol":"messagepack","version":1}\u001e', packedFrames),
  (each: Attack) => coreSocket(each, '', coreFrames),
  (each: Attack) => corePosts(each, 'text/event-stream'),
  (each: Attack) => corePosts(each, 'text/plain'),
  classicSocket,
  (each: Attack) => classicPosts(each, 'longPolling'),
  (each: Attack) => classicPosts(each, 'serverSentEvents'),
  forgedTokens,
];

async function coreSocket(each: Attack, handshake: string, frames: (random: Random) => Buffer[]) {
  const { base, token } = each;
  const socket = await openSocket(each, `${base}/alarmHub?access_token=${token}`);
  if (handshake !== '') socket.send(handshake);
  await sendFrames(each, socket, () => frames(each.random));
}

async function classicSocket(each: Attack): Promise<void> {
  const query = await classicQuery(each, 'webSockets');
  const cursor = oneOf(each.random, ['', `&messageId=${'9'.repeat(15)}`, '&messageId=-1', '&messageId=0']);
  const endpoint = cursor === '' ? 'connect' : 'reconnect';
  const socket = await openSocket(each, `${each.base}/signalr/${endpoint}?${query}${cursor}`);
  await sendFrames(each, socket, () => [damaged(each.random, Buffer.from(classicMessage(each.random)))]);
}

async function openSocket({ report }: Attack, url: string): Promise<WebSocket> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'));
  socket.on('error', () => undefined);
  socket.on('unexpected-response', (_, response) => {
    note(report, response.statusCode ?? 0, 'upgrade');
    response.resume();
    socket.terminate();
  });
  await new Promise<void>((resolve) => {
    socket.once('open', () => resolve());
    socket.once('close', () => resolve());
  });
  return socket;
}

async function sendFrames({ report, random }: Attack, socket: WebSocket, frames: () => Buffer[]) {
  for (let sent = 0; sent < framesPerConnection && socket.readyState === WebSocket.OPEN; ) {
    for (const frame of frames()) {
      if (socket.readyState !== WebSocket.OPEN) break;
      await new Promise<void>((resolve) => socket.send(frame, { binary: random(2) === 0 }, () => resolve()));
      report.frames += 1;
      sent += 1;
    }
  }
  // Some connections are cut, some are closed.
  if (random(3) > 0) socket.terminate();
  else socket.close();
}

async function corePosts(each: Attack, accept: string): Promise<void> {
  const { base, token, random } = each;
  const headers = { authorization: `Bearer ${token}` };
  const negotiated = await ask(each, `${base}/alarmHub/negotiate?negotiateVersion=1`, {
    method: 'POST',
    headers,
  });
  const id = encodeURIComponent((parsed(negotiated) as { connectionToken?: string }).connectionToken ?? '');
  const hang = new AbortController();
  const listen = () =>
    void ask(each, `${base}/alarmHub?id=${id}`, { headers: { ...headers, accept }, signal: hang.signal });
  listen();
  if (random(4) > 0)
    await ask(each, `${base}/alarmHub?id=${id}`, { method: 'POST', headers, body: jsonHandshake });
  for (let count = random(12); count >= 0; count -= 1) {
    const body = Buffer.concat(coreFrames(random));
    await ask(each, `${base}/alarmHub?id=${id}`, { method: 'POST', headers, body: new Uint8Array(body) });
    if (random(4) === 0) listen();
  }
  if (random(2) === 0) await ask(each, `${base}/alarmHub?id=${id}`, { method: 'DELETE', headers });
  hang.abort();
}

async function classicPosts(each: Attack, transport: string): Promise<void> {
  const { base, random } = each;
  const query = await classicQuery(each, transport);
  const hang = new AbortController();
  const listen = (endpoint: string, more = '') =>
    ask(each, `${base}/signalr/${endpoint}?${query}${more}`, { signal: hang.signal });
  const connected = listen('connect');
  if (transport === 'longPolling') await connected;
  for (let count = random(12); count >= 0; count -= 1) {
    const data = damaged(random, Buffer.from(classicMessage(random))).toString();
    const body = new URLSearchParams({ data });
    await ask(each, `${base}/signalr/send?${query}`, { method: 'POST', body });
    const cursor = oneOf(random, ['9'.repeat(15), '9'.repeat(300), '-1', '0', 'd-OTHER,5', '%00']);
    if (random(3) === 0)
      void listen(oneOf(random, ['poll', 'reconnect']), `&messageId=${cursor}&groupsToken=${cursor}`);
  }
  hang.abort();
  await ask(each, `${base}/signalr/abort?${query}`, { method: 'POST' });
}

/** Tokens of other users or of the other protocol, altered, truncated or reused. */
async function forgedTokens(each: Attack): Promise<void> {
  const { base, token, stolen, random } = each;
  const headers = { authorization: `Bearer ${token}` };
  const own = decodeURIComponent(
    /connectionToken=([^&]*)/.exec(await classicQuery(each, 'longPolling'))?.[1] ?? '',
  );
  // Not one of the last letters, because some of their bits are padding.
  const place = random(Math.max(1, own.length - 4));
  const tokens = [stolen.core, stolen.classic, own, own.slice(0, place)] as const;
  const changed = `${own.slice(0, place)}${own[place] === 'A' ? 'B' : 'A'}${own.slice(place + 1)}`;
  for (const forged of [...tokens, changed, '', '\u0000', 'x'.repeat(2_000)]) {
    const id = encodeURIComponent(forged);
    await refused(`${base}/alarmHub?id=${id}`, { method: oneOf(random, ['GET', 'POST', 'DELETE']), headers });
  }
  for (const forged of [stolen.core, stolen.classic, changed, own.slice(0, place)]) {
    const query = new URLSearchParams({ connectionData, connectionToken: forged, access_token: token });
    const endpoint = oneOf(random, ['poll', 'send', 'reconnect', 'abort', 'start']);
    await refused(`${base}/signalr/${endpoint}?${query}&transport=longPolling`, { method: 'POST' });
  }

  async function refused(url: string, init: RequestInit): Promise<void> {
    const status = await ask(each, url, init).then(({ status }) => status);
    if (status === 200) each.report.faults.push(`a forged token was accepted: ${url.slice(0, 200)}`);
  }
}

async function classicQuery(each: Attack, transport: string): Promise<string> {
  const common = { clientProtocol: '2.1', connectionData, access_token: each.token };
  const answer = await ask(each, `${each.base}/signalr/negotiate?${new URLSearchParams(common)}`, {});
  const { ConnectionToken: connectionToken = '' } = parsed(answer) as { ConnectionToken?: string };
  return new URLSearchParams({ ...common, transport, connectionToken }).toString();
}

type Answered = { status: number; text: string };

function parsed({ text }: Answered): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}

async function ask({ report }: Attack, url: string, init: RequestInit): Promise<Answered> {
  report.requests += 1;
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])]);
  try {
    const answer = await fetch(url, { ...init, signal });
    const text = await answer.text();
    note(report, answer.status, `${init.method ?? 'GET'} ${url.slice(0, 200)}`);
    return { status: answer.status, text };
  } catch {
    report.statuses['none'] = (report.statuses['none'] ?? 0) + 1;
    return { status: 0, text: '' };
  }
}

function note(report: AttackReport, status: number, what: string): void {
  report.statuses[status] = (report.statuses[status] ?? 0) + 1;
  if (status === 500) report.faults.push(`500: ${what}`);
}
