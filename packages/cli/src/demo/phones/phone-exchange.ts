import type { PersonWithPhone } from '../waterworks/people.ts';
import type { CallEvent, CallStatus, CallView, Order, PastCall, PhoneView } from './protocol.ts';

/** How the exchange reaches the world. */
export type ExchangeOptions = {
  readonly people: readonly PersonWithPhone[];
  report(order: Order, report: Readonly<Record<string, string>>): void;
  now(): number;
};

type Call = {
  readonly order: Order;
  readonly reference: string;
  status: CallStatus;
  digits: string;
  isOver: boolean;
  isSimulated: boolean;
  /** The next step of the call by itself. */
  timer: NodeJS.Timeout | undefined;
};

type Phone = {
  readonly person: PersonWithPhone;
  answersItself: boolean;
  call: Call | undefined;
  past: PastCall[];
};

/** A little less than the call group waits, so that a call that nobody answers ends before the next one. */
const ringMs = 18_000;
/** How long simulated people let it ring, one after the other in their order, and how long they listen. */
const pickUpMs = [10_000, 7_000, 8_000, 6_000];
const listenMs = 4_000;
const hastyMs = 1_000;
/** A call is hung up this long after the last key. */
const goodbyeMs = 1_500;
/** Nobody listens longer. */
const longestTalkMs = 60_000;
const keptPastCalls = 4;
/** Calls that the server may still ask about. */
const keptCalls = 500;

/** The simulated phone company: it rings the telephones of the page, and reports what happens to the server. */
export class PhoneExchange {
  readonly #options: ExchangeOptions;
  readonly #phones: ReadonlyMap<string, Phone>;
  readonly #calls = new Map<string, Call>();
  readonly #listeners = new Set<() => void>();
  #count = 0;
  /** Simulated people do not pick up. */
  nobodyAnswers = false;
  /** Simulated people pick up at once. */
  isHasty = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#phones = new Map(
      options.people.map((person) => [
        person.number,
        { person, answersItself: true, call: undefined, past: [] },
      ]),
    );
  }

  /** Takes an order of the server. The same order again is the same call. */
  accept(order: Order): { reference: string; status: CallStatus | 'queued' } {
    const known = this.#calls.get(order.attemptId);
    if (known) return known;
    this.#count += 1;
    const call: Call = {
      order,
      reference: `DEMO${this.#count}`,
      status: 'ringing',
      digits: '',
      isOver: false,
      isSimulated: false,
      timer: undefined,
    };
    this.#calls.set(order.attemptId, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > keptCalls && oldest !== undefined) this.#calls.delete(oldest);
    this.#ring(call);
    return { reference: call.reference, status: 'queued' };
  }

  find(attemptId: string): Readonly<Call> | undefined {
    return this.#calls.get(attemptId);
  }

  /** The server does not need the call any more. */
  cancel(attemptId: string): boolean {
    const call = this.#calls.get(attemptId);
    if (!call) return false;
    if (!call.isOver) this.#end(call, call.status === 'ringing' ? 'cancelled' : undefined);
    return true;
  }

  /** Somebody picks up. */
  answer(number: string, isSimulated = false): void {
    const call = this.#callOf(number, 'ringing');
    if (!call) return;
    call.status = 'answered';
    call.isSimulated = isSimulated;
    this.#report(call, 'answered');
    if (isSimulated)
      this.#then(call, this.isHasty ? hastyMs : listenMs, () => this.press(number, call.order.code));
    else this.#then(call, longestTalkMs, () => this.#end(call, undefined));
    this.#changed();
  }

  refuse(number: string): void {
    const call = this.#callOf(number, 'ringing');
    if (call) this.#end(call, 'refused');
  }

  /** Somebody presses keys: the code takes the alarm, the code and 2 only confirms the call. */
  press(number: string, digits: string): void {
    const call = this.#callOf(number, 'answered');
    if (!call) return;
    call.digits = digits;
    call.status = 'acknowledged';
    this.#report(call, 'digits', { digits });
    this.#then(call, goodbyeMs, () => this.#end(call, undefined));
    this.#changed();
  }

  hangUp(number: string): void {
    const call = this.#phones.get(number)?.call;
    if (!call) return;
    if (call.status === 'ringing') this.#end(call, 'refused');
    else this.#end(call, undefined);
  }

  /** Whether the simulated person picks up by themselves. */
  letAnswer(number: string, answersItself: boolean): void {
    const phone = this.#phones.get(number);
    if (!phone) return;
    phone.answersItself = answersItself;
    this.#changed();
  }

  /** The first telephone is the visitor's while a page is open. */
  handOver(isVisited: boolean): void {
    const [first] = this.#phones.keys();
    if (first !== undefined) this.letAnswer(first, !isVisited);
  }

  view(): PhoneView[] {
    return [...this.#phones.values()].map(({ person, answersItself, call, past }) => ({
      number: person.number,
      name: person.name,
      duty: person.duty,
      answersItself,
      call: call && viewOf(call),
      past,
    }));
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    for (const { timer } of this.#calls.values()) clearTimeout(timer);
  }

  #ring(call: Call): void {
    const phone = this.#phones.get(call.order.to);
    if (!phone || phone.call) return this.#end(call, phone ? 'busy' : 'noAnswer');
    phone.call = call;
    this.#report(call, 'ringing');
    const order = [...this.#phones.keys()].indexOf(call.order.to);
    const pickUp = this.isHasty ? hastyMs : (pickUpMs[order] ?? ringMs);
    this.#then(call, pickUp, () => {
      if (phone.answersItself && !this.nobodyAnswers) return this.answer(call.order.to, true);
      this.#then(call, Math.max(0, ringMs - pickUp), () => this.#end(call, 'noAnswer'));
    });
    this.#changed();
  }

  /** Ends a call that was not answered with its reason, and one that was answered without. */
  #end(call: Call, reason: 'noAnswer' | 'refused' | 'busy' | 'cancelled' | undefined): void {
    clearTimeout(call.timer);
    call.isOver = true;
    if (reason !== undefined) call.status = reason;
    if (reason !== 'cancelled') this.#report(call, reason ?? 'ended');
    const phone = this.#phones.get(call.order.to);
    if (phone?.call === call) {
      phone.call = undefined;
      const { attemptId: id, text } = call.order;
      const past = { id, text, at: this.#options.now(), outcome: outcomeOf(call) };
      phone.past = [past, ...phone.past].slice(0, keptPastCalls);
    }
    this.#changed();
  }

  #callOf(number: string, status: CallStatus): Call | undefined {
    const call = this.#phones.get(number)?.call;
    return call?.status === status ? call : undefined;
  }

  #then(call: Call, ms: number, run: () => void): void {
    clearTimeout(call.timer);
    call.timer = setTimeout(() => !call.isOver && run(), ms);
  }

  #report({ order, reference }: Call, event: CallEvent, more: Readonly<Record<string, string>> = {}): void {
    if (order.callbackUrl === '') return;
    this.#options.report(order, { attemptId: order.attemptId, reference, event, ...more });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function outcomeOf({ status, digits, order }: Call): PastCall['outcome'] {
  if (status === 'acknowledged') return digits === order.code ? 'taken' : 'confirmed';
  if (status === 'answered') return 'hungUp';
  return status === 'refused' || status === 'cancelled' ? status : 'noAnswer';
}

function viewOf({ order, status, digits, isSimulated }: Call): CallView {
  const { attemptId: id, text, prompt, language, code } = order;
  const shown = status === 'ringing' ? 'ringing' : 'answered';
  return { id, status: shown, text, prompt, language, code, digits, isSimulated };
}
