import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { callBack } from './call-back.ts';
import type {
  Behaviour,
  CallbackEvent,
  Control,
  Faults,
  Folder,
  LogLine,
  Order,
  Status,
} from './protocol.ts';

type Attempt = {
  order: Order;
  folder: Folder;
  reference: string;
  status: Status;
  digits: string;
  over: boolean;
};

export type Answer = { status: number; body: object; headers?: Record<string, string> } | 'silence';

const usualRingMs = 100;
const usualTalkMs = 200;
/** No telephone rings longer. */
const longestRingMs = 30_000;

/** The state of the company: scripted phones and accepted orders. */
export class Exchange {
  readonly #log: number;
  readonly #attempts = new Map<string, Attempt>();
  readonly #phones = new Map<string, Behaviour[]>();
  /** The last call to each number. */
  readonly #lastCalls = new Map<string, Attempt>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #others: Behaviour = { kind: 'accepts' };
  #faults: Faults = {};
  #idempotent = false;
  #secret = '';
  #lines = Number.POSITIVE_INFINITY;
  #seq = 0;

  constructor(logFile: string) {
    this.#log = openSync(logFile, 'a');
  }

  control({ reset = false, phones = {}, others, faults, idempotent, lines, callbackSecret }: Control): void {
    if (reset) this.#forget();
    for (const [number, script] of Object.entries(phones)) this.#phones.set(number, [script].flat());
    this.#others = others ?? this.#others;
    this.#faults = faults ?? this.#faults;
    this.#idempotent = idempotent ?? this.#idempotent;
    this.#secret = callbackSecret ?? this.#secret;
    this.#lines = lines ?? this.#lines;
  }

  /** The faults that apply to this request. Counts down faults that last a number of requests. */
  nextFaults(): Faults {
    const faults = this.#faults;
    if (faults.times !== undefined) {
      this.#faults = faults.times > 1 ? { ...faults, times: faults.times - 1 } : {};
    }
    return faults;
  }

  get faults(): Faults {
    return this.#faults;
  }

  decline(folder: Folder, order: Order, status: number): void {
    this.#write('declined', { order, folder, reference: '' }, String(status));
  }

  ignore(folder: Folder, order: Order): void {
    this.#write('ignored', { order, folder, reference: '' }, '');
  }

  /** Accepts an order and plays the behaviour of the phone. */
  accept(folder: Folder, order: Order): { reference: string; behaviour: Behaviour; status: Status } {
    const known = this.#attempts.get(order.attemptId);
    if (known && this.#idempotent) {
      this.#write('repeated', known, '');
      const status = known.status === 'ringing' ? 'queued' : known.status;
      return { reference: known.reference, behaviour: { kind: 'accepts' }, status };
    }
    const live = folder === 'calls' ? this.#liveCallTo(order.to) : undefined;
    if (live) this.#write('collision', { order, folder, reference: '' }, live.order.attemptId);
    const behaviour: Behaviour = live ? { kind: 'busy' } : this.#behaviourOf(order.to);
    const attempt: Attempt = {
      order,
      folder,
      reference: `PC${this.#seq + 1}`,
      status: 'queued',
      digits: '',
      over: false,
    };
    this.#attempts.set(order.attemptId, attempt);
    if (folder === 'calls' && !live) this.#lastCalls.set(order.to, attempt);
    this.#write('accepted', attempt, '');
    this.#play(attempt, behaviour);
    return { reference: attempt.reference, behaviour, status: 'queued' };
  }

  /** Whether all lines of the company are in use. */
  isFull(): boolean {
    if (this.#lines === Number.POSITIVE_INFINITY) return false;
    const calls = [...this.#attempts.values()].filter(({ folder, over }) => folder === 'calls' && !over);
    return calls.length >= this.#lines;
  }

  #liveCallTo(number: string): Attempt | undefined {
    const last = this.#lastCalls.get(number);
    return last && !last.over ? last : undefined;
  }

  /** The next behaviour of a phone, without playing it. */
  peek(number: string): Behaviour {
    return this.#phones.get(number)?.[0] ?? this.#others;
  }

  /** Skips a behaviour that accepts no order. */
  skip(number: string): void {
    this.#behaviourOf(number);
  }

  find(attemptId: string): Attempt | undefined {
    return this.#faults.forgetful === true ? undefined : this.#attempts.get(attemptId);
  }

  hangUp(attemptId: string): boolean {
    const attempt = this.#attempts.get(attemptId);
    if (!attempt) return false;
    if (!attempt.over) this.#write('hung-up', attempt, '');
    attempt.over = true;
    return true;
  }

  #forget(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#attempts.clear();
    this.#phones.clear();
    this.#lastCalls.clear();
    this.#others = { kind: 'accepts' };
    this.#faults = {};
    this.#idempotent = false;
    this.#lines = Number.POSITIVE_INFINITY;
    ftruncateSync(this.#log);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    closeSync(this.#log);
  }

  #behaviourOf(number: string): Behaviour {
    const script = this.#phones.get(number);
    if (script === undefined) return this.#others;
    return (script.length > 1 ? script.shift() : script[0]) ?? this.#others;
  }

  #play(attempt: Attempt, behaviour: Behaviour): void {
    switch (behaviour.kind) {
      case 'slow':
        return this.#play(attempt, behaviour.next);
      case 'answers':
      case 'voicemail':
        this.#ring(attempt);
        return this.#after(attempt, behaviour.afterMs, () => this.#pickUp(attempt, behaviour));
      case 'receives':
        return this.#after(attempt, behaviour.afterMs, () => this.#receive(attempt, behaviour.reply));
      case 'silent':
        this.#ring(attempt);
        this.#write('arrived', attempt, '');
        return this.#after(attempt, behaviour.ringMs, () => this.#end(attempt, 'noAnswer'));
      case 'refuses':
        this.#ring(attempt);
        this.#write('arrived', attempt, '');
        return this.#after(attempt, behaviour.afterMs, () => this.#end(attempt, 'refused'));
      case 'busy':
        return this.#after(attempt, 0, () => this.#end(attempt, 'busy'));
      case 'lies':
        return this.#after(attempt, behaviour.afterMs, () => this.#end(attempt, 'delivered'));
      case 'accepts':
      case 'hangs':
      case 'errors':
        return this.#ringOut(attempt);
    }
  }

  #ringOut(attempt: Attempt): void {
    if (attempt.folder !== 'calls') return;
    this.#after(attempt, longestRingMs, () => this.#end(attempt, 'noAnswer'));
  }

  #ring(attempt: Attempt): void {
    attempt.status = 'ringing';
    this.#report(attempt, 'ringing', {});
  }

  #pickUp(attempt: Attempt, { press, talkMs = usualTalkMs }: { press?: string; talkMs?: number }): void {
    this.#write('arrived', attempt, '');
    this.#write('answered', attempt, '');
    attempt.status = 'answered';
    this.#report(attempt, 'answered', {});
    if (press !== undefined) this.#press(attempt, press);
    this.#after(attempt, talkMs, () => {
      attempt.over = true;
      this.#write('ended', attempt, 'hung up');
      this.#report(attempt, 'ended', {});
    });
  }

  #press(attempt: Attempt, press: string): void {
    attempt.digits = press === 'code' ? attempt.order.code : press;
    attempt.status = 'acknowledged';
    this.#write('pressed', attempt, attempt.digits);
    this.#report(attempt, 'digits', { digits: attempt.digits });
  }

  #receive(attempt: Attempt, reply: string | undefined): void {
    this.#write('arrived', attempt, '');
    this.#end(attempt, 'delivered');
    if (reply === undefined) return;
    const text = reply.replace('{code}', attempt.order.code);
    this.#write('replied', attempt, text);
    this.#report(attempt, 'reply', { text, from: attempt.order.to });
  }

  #end(attempt: Attempt, status: 'delivered' | 'busy' | 'noAnswer' | 'refused'): void {
    attempt.status = status;
    // A delivered message may still be replied to.
    attempt.over = attempt.folder === 'calls' || status !== 'delivered';
    this.#write('ended', attempt, status);
    this.#report(attempt, status, {});
  }

  /** Does nothing if the call is hung up before. */
  #after(attempt: Attempt, ms: number | undefined, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!attempt.over) work();
    }, ms ?? usualRingMs);
    this.#timers.add(timer);
  }

  #report(attempt: Attempt, event: CallbackEvent, more: Record<string, string>): void {
    const { order, reference } = attempt;
    const { loseCallbacks, doubleCallbacks } = this.#faults;
    if (order.callbackUrl === '' || this.#secret === '' || loseCallbacks === true) return;
    const report = { attemptId: order.attemptId, reference, event, ...more };
    for (let times = doubleCallbacks === true ? 2 : 1; times > 0; times -= 1) {
      void callBack({ url: order.callbackUrl, secret: this.#secret }, report).then((status) =>
        this.#write('called-back', attempt, `${event} ${status}`),
      );
    }
  }

  #write(
    event: LogLine['event'],
    { order, folder, reference }: Pick<Attempt, 'order' | 'folder' | 'reference'>,
    detail: string,
  ): void {
    const { attemptId, to, text, prompt } = order;
    this.#seq += 1;
    const at = new Date().toISOString();
    const about = { folder, attemptId, to, reference, text, prompt, detail };
    const line: LogLine = { seq: this.#seq, at, event, ...about };
    writeSync(this.#log, `${JSON.stringify(line)}\n`);
  }
}
