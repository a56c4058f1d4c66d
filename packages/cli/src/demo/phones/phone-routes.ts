import { Value } from 'typebox/value';
import type { PhoneExchange } from './phone-exchange.ts';
import { Order } from './protocol.ts';

/** An answer of the phone company in JSON. */
export type JsonAnswer = { readonly status: number; readonly body: unknown };

const done: JsonAnswer = { status: 200, body: {} };
const unknown: JsonAnswer = { status: 404, body: { error: 'no such attempt' } };

/** What the server asks its simulated phone company; undefined for any other request. */
export function answerServer(
  exchange: PhoneExchange,
  { method, path, body }: { method: string; path: string; body: string },
): JsonAnswer | undefined {
  if (method === 'GET' && path === '/health') return { status: 200, body: { works: true } };
  if (method === 'POST' && path === '/calls') return acceptOrder(exchange, body);
  const [, name, hangUp] = /^\/attempts\/([^/]+)(\/hangup)?$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  const attemptId = decodeURIComponent(name);
  if (hangUp !== undefined) return exchange.cancel(attemptId) ? done : unknown;
  const call = exchange.find(attemptId);
  if (!call) return unknown;
  const { reference, status, isOver, digits } = call;
  // The protocol knows no call that the server itself has cancelled: nobody answered it.
  const told = status === 'cancelled' ? 'noAnswer' : status;
  return { status: 200, body: { reference, status: told, isOver, ...(digits !== '' && { digits }) } };
}

function acceptOrder(exchange: PhoneExchange, body: string): JsonAnswer {
  const order: unknown = JSON.parse(body);
  if (!Value.Check(Order, order)) return { status: 400, body: { error: 'not an order' } };
  const { reference, status } = exchange.accept(order);
  return { status: 201, body: { reference, status: status === 'ringing' ? 'queued' : status } };
}

/** What somebody does on the page, as `POST /phones/NUMBER/ACTION`; false if there is no such action. */
export function act(exchange: PhoneExchange, path: string, body: string): boolean {
  const [, number = '', action] = /^\/phones\/(\+\d+)\/([a-z]+)$/.exec(path) ?? [];
  if (action === 'answer') exchange.answer(number);
  else if (action === 'refuse') exchange.refuse(number);
  else if (action === 'hangup') exchange.hangUp(number);
  else if (action === 'keys' && /^[0-9*#]{1,12}$/.test(body)) exchange.press(number, body);
  else if (action === 'itself') exchange.letAnswer(number, body === 'on');
  else return false;
  return true;
}
