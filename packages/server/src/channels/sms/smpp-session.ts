import type { Socket } from 'node:net';
import { createPduFramer, type Pdu, type PduContent, readHeader, readPdu, writePdu } from './smpp-pdu.ts';
import { smppStatus } from './smpp-status.ts';

/** The response to a request, or why there is none. Only with `not-sent` the centre surely has not got it. */
export type SmppResponse =
  | { readonly kind: 'response'; readonly status: number; readonly fields: Pdu['fields'] }
  | { readonly kind: 'not-sent' | 'late' | 'cut' | 'unreadable' };

export type SmppTiming = {
  /** For a response. */
  readonly responseMs: number;
  /** Without traffic for this long the centre is asked whether it is there. */
  readonly idleMs: number;
};

/** Stores a message of the centre. Resolves to the status of the response. */
export type TakeDelivery = (pdu: Pdu) => Promise<number>;

/** Messages of the centre that are being stored. More are refused, so that a flood cannot fill the memory. */
const maxDeliveries = 50;
const maxMalformed = 10;
/** A centre that sends requests and does not read the responses is cut off. */
const maxUnsentBytes = 262_144;
const maxSequence = 0x7fff_ffff;

/**
 * A connection to an SMS centre. Every request gets exactly one answer, also when the centre is silent or the connection
 * ends. A malformed PDU is refused, and the next one is read.
 */
export class SmppSession {
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  readonly #timing: SmppTiming;
  readonly #take: TakeDelivery;
  readonly #pending = new Map<number, (response: SmppResponse) => void>();
  readonly #watch: NodeJS.Timeout;
  #isOpen = true;
  #sequence = 0;
  #deliveries = 0;
  #malformed = 0;
  #heardMs = performance.now();

  constructor(socket: Socket, timing: SmppTiming, take: TakeDelivery) {
    this.#socket = socket;
    this.#timing = timing;
    this.#take = take;
    this.ended = new Promise((resolve) => socket.once('close', resolve)).then(() => this.#end());
    this.#readFrom(socket);
    const { idleMs } = timing;
    this.#watch = setInterval(() => {
      if (performance.now() - this.#heardMs >= idleMs) void this.request('enquire_link');
    }, idleMs).unref();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  request(command: string, fields: Pdu['fields'] = {}, signal?: AbortSignal): Promise<SmppResponse> {
    if (!this.#isOpen || signal?.aborted === true) return Promise.resolve({ kind: 'not-sent' });
    const sequence = this.#nextSequence();
    const { promise, resolve } = Promise.withResolvers<SmppResponse>();
    const giveUp = () => settle({ kind: 'late' });
    const sentMs = performance.now();
    const timer = setTimeout(() => {
      giveUp();
      // A connection on which nothing at all was heard is broken.
      if (this.#heardMs <= sentMs) this.destroy();
    }, this.#timing.responseMs);
    const settle = (response: SmppResponse) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      this.#pending.delete(sequence);
      resolve(response);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    this.#pending.set(sequence, settle);
    this.#send({ command, sequence, fields });
    return promise;
  }

  /** Takes leave of the centre and closes the connection. */
  async close(): Promise<void> {
    await this.request('unbind');
    this.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #readFrom(socket: Socket): void {
    const framesOf = createPduFramer();
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      this.#heardMs = performance.now();
      try {
        for (const frame of framesOf(chunk)) this.#hear(frame);
      } catch {
        socket.destroy();
      }
    });
  }

  #end(): void {
    this.#isOpen = false;
    clearInterval(this.#watch);
    for (const settle of this.#pending.values()) settle({ kind: 'cut' });
  }

  #nextSequence(): number {
    this.#sequence = this.#sequence === maxSequence ? 1 : this.#sequence + 1;
    return this.#sequence;
  }

  #send(content: PduContent): void {
    if (!this.#socket.writable) return;
    this.#socket.write(writePdu(content));
    if (this.#socket.writableLength > maxUnsentBytes) this.destroy();
  }

  #respond({ command, sequence }: Pdu, status: number): void {
    this.#send({ command: `${command}_resp`, sequence, status });
  }

  #hear(frame: Buffer): void {
    const pdu = readPdu(frame);
    if (!pdu) return this.#hearMalformed(frame);
    const { status, fields } = pdu;
    if (pdu.isResponse) this.#pending.get(pdu.sequence)?.({ kind: 'response', status, fields });
    else this.#hearRequest(pdu);
  }

  #hearRequest(pdu: Pdu): void {
    const { command, sequence } = pdu;
    if (command === 'deliver_sm' || command === 'data_sm') void this.#deliver(pdu);
    else if (command === 'enquire_link') this.#respond(pdu, smppStatus.ok);
    else if (command === 'unbind') {
      this.#respond(pdu, smppStatus.ok);
      this.#socket.end();
    } else if (command !== 'alert_notification')
      this.#send({ command: 'generic_nack', sequence, status: smppStatus.invalidCommand });
  }

  #hearMalformed(frame: Buffer): void {
    const { isResponse, sequence, status } = readHeader(frame);
    this.#malformed += 1;
    if (this.#malformed > maxMalformed) return this.destroy();
    if (!isResponse)
      return this.#send({ command: 'generic_nack', sequence, status: smppStatus.invalidLength });
    // A refusal needs no body.
    const response: SmppResponse =
      status === 0 ? { kind: 'unreadable' } : { kind: 'response', status, fields: {} };
    this.#pending.get(sequence)?.(response);
  }

  async #deliver(pdu: Pdu): Promise<void> {
    if (this.#deliveries >= maxDeliveries) return this.#respond(pdu, smppStatus.queueFull);
    this.#deliveries += 1;
    // The centre delivers again what could not be stored.
    const status = await this.#take(pdu).catch(() => smppStatus.notNow);
    this.#deliveries -= 1;
    this.#respond(pdu, status);
  }
}
