import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTwiml } from './twiml-reader.ts';

/** A telephone at the provider. Keys are pressed one after the other; an empty one stands for silence. */
export type StubPhone =
  | { kind: 'answers'; keys?: string[]; talkMs?: number }
  | { kind: 'busy' | 'no-answer' }
  /** Rings until somebody hangs up. */
  | { kind: 'rings' }
  | { kind: 'failed'; sipCode: string }
  /** Gets messages, and may reply to them. */
  | { kind: 'texts'; reply?: (text: string) => string; errorCode?: number };

export type StubCall = {
  sid: string;
  to: string;
  status: string;
  said: string[];
  statusUrl: string;
  twiml: string;
};
export type StubText = { sid: string; to: string; text: string };
/** A call-back that the provider made, and the response. */
export type StubCallback = { url: string; form: URLSearchParams; status: number; body: string };

export type ProviderStub = {
  readonly url: string;
  readonly accountSid: string;
  readonly authToken: string;
  readonly calls: StubCall[];
  readonly texts: StubText[];
  readonly callbacks: StubCallback[];
  readonly phones: Map<string, StubPhone>;
  /** Where messages of people are posted; empty for nowhere. */
  messageUrl: string;
  /** Answers every order with this refusal. */
  refusal: { status: number; code?: number; retryAfterSeconds?: number } | undefined;
  /** Posts a form to us, signed with the token. */
  callBack(url: string, form: URLSearchParams, options?: { authToken?: string }): Promise<StubCallback>;
  stop(): Promise<void>;
};

/** Signs as the provider documents it, independently of the server's own code. */
export function stubSignature(authToken: string, url: string, form: URLSearchParams): string {
  const sorted = [...form].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = url + sorted.map(([name, value]) => name + value).join('');
  return createHmac('sha1', authToken).update(text).digest('base64');
}

/** Starts a provider of calls and messages on the loopback interface. */
export async function startProviderStub(): Promise<ProviderStub> {
  const stub = new Provider();
  await stub.listen();
  return stub;
}

const maxTurns = 20;
const stepMs = 20;

class Provider implements ProviderStub {
  readonly accountSid = `AC${randomBytes(16).toString('hex')}`;
  readonly authToken = randomBytes(16).toString('hex');
  readonly calls: StubCall[] = [];
  readonly texts: StubText[] = [];
  readonly callbacks: StubCallback[] = [];
  readonly phones = new Map<string, StubPhone>();
  messageUrl = '';
  refusal: ProviderStub['refusal'];
  readonly #server: Server;
  readonly #running = new Set<Promise<void>>();

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    for (const call of this.calls) if (isLive(call)) call.status = 'completed';
    await Promise.allSettled(this.#running);
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async callBack(url: string, form: URLSearchParams, { authToken = this.authToken } = {}) {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': stubSignature(authToken, url, form),
    };
    const signal = AbortSignal.timeout(5_000);
    const answer = await fetch(url, { method: 'POST', headers, body: form.toString(), signal });
    const callback = { url, form, status: answer.status, body: await answer.text() };
    this.callbacks.push(callback);
    return callback;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const reply = (status: number, content: object, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(content));
    };
    const expected = Buffer.from(`${this.accountSid}:${this.authToken}`).toString('base64');
    if (request.headers.authorization !== `Basic ${expected}`) return reply(401, { code: 20_003 });
    const root = `/2010-04-01/Accounts/${this.accountSid}`;
    const path = request.url?.startsWith(root) ? request.url.slice(root.length) : '?';
    if (request.method === 'GET') return this.#show(path, reply);
    if (this.refusal) {
      const { status, code = status, retryAfterSeconds } = this.refusal;
      const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
      return reply(status, { code, message: 'refused' }, headers);
    }
    this.#order(path, new URLSearchParams(body), reply);
  }

  #show(path: string, reply: (status: number, content: object) => void): void {
    if (path === '.json') return reply(200, { sid: this.accountSid, status: 'active' });
    const call = this.calls.find(({ sid }) => path === `/Calls/${sid}.json`);
    if (call) return reply(200, { sid: call.sid, status: call.status });
    reply(404, { code: 20_404 });
  }

  #order(path: string, form: URLSearchParams, reply: (status: number, content: object) => void): void {
    if (path === '/Calls.json') {
      const call = this.#newCall(form);
      reply(201, { sid: call.sid, status: 'queued' });
      return this.#run(this.#placeCall(call));
    }
    if (path === '/Messages.json') {
      const sid = `SM${randomBytes(16).toString('hex')}`;
      const text = { sid, to: form.get('To') ?? '', text: form.get('Body') ?? '' };
      this.texts.push(text);
      reply(201, { sid, status: 'queued' });
      const statusUrl = form.get('StatusCallback') ?? '';
      return this.#run(this.#deliver(text, { from: form.get('From') ?? '', statusUrl }));
    }
    const call = this.calls.find(({ sid }) => path === `/Calls/${sid}.json`);
    if (!call) return reply(404, { code: 20_404 });
    this.#change(call, form, reply);
  }

  #run(work: Promise<void>): void {
    const running = work.catch(() => {}).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  #newCall(form: URLSearchParams): StubCall {
    const sid = `CA${randomBytes(16).toString('hex')}`;
    const statusUrl = form.get('StatusCallback') ?? '';
    const call = {
      sid,
      to: form.get('To') ?? '',
      status: 'queued',
      said: [],
      statusUrl,
      twiml: form.get('Twiml') ?? '',
    };
    this.calls.push(call);
    return call;
  }

  async #placeCall(call: StubCall): Promise<void> {
    const phone = this.phones.get(call.to) ?? { kind: 'no-answer' };
    await sleep(stepMs);
    await this.#report(call, 'ringing');
    await sleep(stepMs);
    if (phone.kind === 'rings' || !isLive(call)) return;
    if (phone.kind === 'failed') return this.#report(call, 'failed', { SipResponseCode: phone.sipCode });
    if (phone.kind !== 'answers')
      return this.#report(call, phone.kind === 'texts' ? 'no-answer' : phone.kind);
    await this.#report(call, 'in-progress');
    await this.#talk(call, phone);
    if (isLive(call)) await this.#report(call, 'completed');
  }

  /** Follows the instructions: says, waits for a key, posts it, and goes on with the response. */
  async #talk(call: StubCall, phone: Extract<StubPhone, { kind: 'answers' }>): Promise<void> {
    const keys = [...(phone.keys ?? [])];
    let { twiml } = call;
    for (let turn = 0; turn < maxTurns && isLive(call); turn += 1) {
      const { said, action } = readTwiml(twiml);
      call.said.push(...said);
      await sleep(phone.talkMs ?? stepMs);
      if (action === undefined || !isLive(call)) return;
      const key = keys.shift() ?? '';
      const form = this.#formOf(call, key === '' ? {} : { Digits: key });
      const answer = await this.callBack(action, form);
      if (answer.status !== 200) return;
      twiml = answer.body;
    }
  }

  #formOf(call: StubCall, more: Record<string, string>): URLSearchParams {
    const { sid, to, status } = call;
    return new URLSearchParams({
      AccountSid: this.accountSid,
      CallSid: sid,
      To: to,
      CallStatus: status,
      ...more,
    });
  }

  async #report(call: StubCall, status: string, more: Record<string, string> = {}): Promise<void> {
    call.status = status;
    if (call.statusUrl !== '') await this.callBack(call.statusUrl, this.#formOf(call, more));
  }

  #change(call: StubCall, form: URLSearchParams, reply: (status: number, content: object) => void): void {
    const twiml = form.get('Twiml');
    if (twiml !== null && call.status !== 'in-progress') return reply(400, { code: 21_220 });
    if (twiml !== null) call.said.push(...readTwiml(twiml).said);
    const status = call.status === 'in-progress' ? 'completed' : 'canceled';
    call.status = status;
    reply(200, { sid: call.sid, status });
    this.#run(this.#report(call, status));
  }

  async #deliver({ sid, to, text }: StubText, { from, statusUrl }: { from: string; statusUrl: string }) {
    const phone = this.phones.get(to);
    const { reply, errorCode } = phone?.kind === 'texts' ? phone : {};
    const report = async (status: string, more: Record<string, string> = {}) => {
      const members = { AccountSid: this.accountSid, MessageSid: sid, MessageStatus: status, To: to };
      if (statusUrl !== '') await this.callBack(statusUrl, new URLSearchParams({ ...members, ...more }));
    };
    await sleep(stepMs);
    await report('sent');
    if (errorCode !== undefined) return report('undelivered', { ErrorCode: String(errorCode) });
    await report('delivered');
    if (reply !== undefined) await this.#sendText({ from: to, to: from, text: reply(text) });
  }

  /** A person sends a text to the number of the account. */
  async #sendText({ from, to, text }: { from: string; to: string; text: string }): Promise<void> {
    if (this.messageUrl === '') return;
    const MessageSid = `SM${randomBytes(16).toString('hex')}`;
    const members = { AccountSid: this.accountSid, MessageSid, SmsStatus: 'received' };
    await this.callBack(this.messageUrl, new URLSearchParams({ ...members, From: from, To: to, Body: text }));
  }
}

function isLive({ status }: StubCall): boolean {
  return ['queued', 'ringing', 'in-progress'].includes(status);
}
