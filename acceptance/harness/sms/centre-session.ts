import type { Socket } from 'node:net';
import { type Behaviour, type CentreState, centreAccount } from './centre-state.ts';
import {
  commands,
  cString,
  type Delivery,
  deliveryBody,
  type Frame,
  frameReader,
  readBind,
  readSubmitted,
  responseBit,
  writeFrame,
} from './pdu.ts';

const wrongPassword = 0x0e;
const accept: Behaviour = { kind: 'accept' };

/** The centre's end of one connection. */
export class CentreSession {
  isBound = false;
  readonly #socket: Socket;
  readonly #state: CentreState;
  readonly #answers = new Map<number, (status: number) => void>();
  #sequence = 0;

  constructor(socket: Socket, state: CentreState) {
    this.#socket = socket;
    this.#state = state;
    const framesOf = frameReader();
    socket.on('data', (chunk: Buffer) => {
      for (const frame of framesOf(chunk)) this.#hear(frame);
    });
    socket.on('close', () => {
      this.isBound = false;
      state.sessions.delete(this);
      for (const answer of this.#answers.values()) answer(-1);
    });
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /** Resolves to the status of the response, or to -1 when the connection ends before. */
  deliver(delivery: Delivery): Promise<number> {
    this.#sequence += 1;
    const sequence = this.#sequence;
    return new Promise((resolve) => {
      this.#answers.set(sequence, resolve);
      this.write(writeFrame(commands.deliver, sequence, { body: deliveryBody(delivery) }));
    });
  }

  #hear(frame: Frame): void {
    const { command, sequence, status, body } = frame;
    if (command === commands.genericNack) return void this.#state.refusals.push({ sequence, status });
    if (command >= responseBit) return this.#answers.get(sequence)?.(status);
    if (command === commands.bindTransceiver) return this.#bind(sequence, body);
    if (command === commands.submit) return this.#submit(frame);
    if (command === commands.enquireLink) this.#state.counts.enquiries += 1;
    this.write(writeFrame(command + responseBit, sequence));
    if (command === commands.unbind) this.#socket.end();
  }

  #bind(sequence: number, body: Buffer): void {
    const { systemId, password } = readBind(body);
    const isKnown = systemId === centreAccount.systemId && password === centreAccount.password;
    this.#state.counts.binds += 1;
    this.isBound = isKnown;
    const answer = isKnown ? { body: cString('centre') } : { status: wrongPassword };
    this.write(writeFrame(commands.bindTransceiver + responseBit, sequence, answer));
  }

  #submit({ sequence, body }: Frame): void {
    const { behaviours, received, counts } = this.#state;
    const submitted = readSubmitted(body);
    counts.ids += 1;
    const id = counts.ids.toString(16).padStart(8, '0');
    received.push({ ...submitted, id });
    const key = behaviours.has(submitted.to) ? submitted.to : '';
    const behaviour = behaviours.get(key) ?? accept;
    this.#behave(behaviour, { key, sequence, id, wantsReceipt: submitted.wantsReceipt === 1 });
  }

  #behave(
    behaviour: Behaviour,
    { key, sequence, id, wantsReceipt }: { key: string; sequence: number; id: string; wantsReceipt: boolean },
  ): void {
    const command = commands.submit + responseBit;
    if (behaviour.kind === 'silent') return;
    if (behaviour.kind === 'cut') return void this.#socket.destroy();
    if (behaviour.kind === 'malformed-response')
      // An id without its end, and a TLV that is longer than its PDU.
      return this.write(
        writeFrame(command, sequence, { body: Buffer.from([0x41, 0, 0x04, 0x27, 0xff, 0xff]) }),
      );
    if (behaviour.kind === 'refuse') {
      const { status, after = 0, times = Number.POSITIVE_INFINITY } = behaviour;
      if (after > 0) {
        this.#state.behaviours.set(key, { ...behaviour, after: after - 1 });
        return this.write(writeFrame(command, sequence, { body: cString(id) }));
      }
      this.#state.behaviours.set(key, times <= 1 ? accept : { ...behaviour, times: times - 1 });
      return this.write(writeFrame(command, sequence, { status }));
    }
    const answer = () => {
      this.write(writeFrame(command, sequence, { body: cString(id) }));
      if (behaviour.receipt && wantsReceipt) this.#state.receiptFor(id, behaviour.receipt);
    };
    if (behaviour.delayMs === undefined) answer();
    else setTimeout(answer, behaviour.delayMs);
  }
}
