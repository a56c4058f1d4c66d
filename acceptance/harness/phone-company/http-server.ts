import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Exchange } from './exchange.ts';
import type { Behaviour, Control, Faults, Folder, Order } from './protocol.ts';

const folders: Record<string, Folder> = { '/calls': 'calls', '/messages': 'messages', '/pushes': 'pushes' };

/** Accepts orders and control requests over HTTP. */
export function createHttpServer(exchange: Exchange): Server {
  return createServer((request, response) => {
    answer(exchange, request).then(
      (given) => reply(response, given),
      (error: unknown) => reply(response, { status: 400, body: { error: String(error) } }),
    );
  });
}

function reply(response: ServerResponse, given: Answer): void {
  // The request is never answered.
  if (given === 'silence') return;
  const body = JSON.stringify(given.body);
  const length = Buffer.byteLength(body);
  response.writeHead(given.status, {
    'content-type': 'application/json',
    'content-length': length,
    ...given.headers,
  });
  response.end(body);
}

async function answer(exchange: Exchange, request: IncomingMessage): Promise<Answer> {
  const { method, url = '/' } = request;
  const body = method === 'POST' ? await readBody(request) : '';
  if (url === '/control') {
    exchange.control(JSON.parse(body) as Control);
    return { status: 200, body: {} };
  }
  const folder = folders[url];
  if (folder !== undefined && method === 'POST')
    return acceptOrder(exchange, folder, JSON.parse(body) as Order);
  const broken = brokenAnswer(exchange.faults);
  if (broken) return broken;
  if (url === '/health') return { status: 200, body: { works: true } };
  return answerAttempt(exchange, url);
}

function answerAttempt(exchange: Exchange, url: string): Answer {
  const [, attemptId = '', hangUp] = /^\/attempts\/([^/]+)(\/hangup)?$/.exec(url) ?? [];
  const unknown: Answer = { status: 404, body: { error: 'no such attempt' } };
  const id = decodeURIComponent(attemptId);
  if (hangUp !== undefined) return exchange.hangUp(id) ? { status: 200, body: {} } : unknown;
  const attempt = exchange.find(id);
  if (!attempt) return unknown;
  const { reference, status, digits, over: isOver } = attempt;
  return { status: 200, body: { reference, status, isOver, ...(digits !== '' && { digits }) } };
}

async function acceptOrder(exchange: Exchange, folder: Folder, order: Order): Promise<Answer> {
  const faults = exchange.nextFaults();
  if (faults.delayMs !== undefined) await sleep(faults.delayMs);
  if (faults.hangBeforeAccept === true) {
    exchange.ignore(folder, order);
    return 'silence';
  }
  const declined = declineOrder(exchange, folder, { order, faults }) ?? fullAnswer(exchange, folder, order);
  if (declined) return declined;
  const { reference, behaviour, status } = exchange.accept(folder, order);
  if (faults.hangAfterAccept === true || isSilent(behaviour)) return 'silence';
  if (behaviour.kind === 'slow') await sleep(behaviour.delayMs);
  return { status: 201, body: { reference, status } };
}

function declineOrder(
  exchange: Exchange,
  folder: Folder,
  { order, faults }: { order: Order; faults: Faults },
): Answer | undefined {
  const next = exchange.peek(order.to);
  const broken = brokenAnswer(faults) ?? brokenAnswer(next.kind === 'errors' ? next : {});
  if (!broken || broken === 'silence') return undefined;
  if (faults.status === undefined) exchange.skip(order.to);
  exchange.decline(folder, order, broken.status);
  return broken;
}

function fullAnswer(exchange: Exchange, folder: Folder, order: Order): Answer | undefined {
  if (folder !== 'calls' || !exchange.isFull()) return undefined;
  exchange.decline('calls', order, 429);
  return { status: 429, body: { error: 'no free line' }, headers: { 'retry-after': '1' } };
}

function isSilent(behaviour: Behaviour): boolean {
  return behaviour.kind === 'hangs' || (behaviour.kind === 'slow' && isSilent(behaviour.next));
}

function brokenAnswer({
  status,
  retryAfterSeconds,
}: Pick<Faults, 'status' | 'retryAfterSeconds'>): Answer | undefined {
  if (status === undefined) return undefined;
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return { status, body: { error: 'out of order' }, headers };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
