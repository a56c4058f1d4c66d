import type { ChannelOutcome } from '../port/outcome.ts';
import { type Worker, workerGone } from './baresip-worker.ts';
import type { ControlEvent } from './control-connection.ts';
import type { Conversation, Line } from './conversation.ts';
import { outcomeOfClose } from './outcome-of-close.ts';

/** What a leg needs to know, besides its process. */
export type LegParts = {
  readonly reference: string;
  readonly worker: Worker;
  readonly ringSeconds: number;
  readonly converse: (line: Line) => Conversation;
  /** Tells what has happened since the call was placed. Never rejects. */
  readonly report: (outcome: ChannelOutcome) => Promise<unknown>;
};

/** One call from the first answer of the trunk to its end. */
export type SipLeg = {
  readonly conversation: Conversation;
  /** The last thing that is known of the call. */
  state(): ChannelOutcome;
  /** Resolves with the first answer of the trunk, which may be the end of the call already. */
  readonly placed: Promise<ChannelOutcome>;
  /** The trunk has answered, although it does not ring yet. */
  onTrying(): void;
  hangUp(): void;
  /** Resolves with the outcome when the call has ended. */
  readonly closed: Promise<ChannelOutcome>;
  /** Resolves when the server has stored the end of the call. */
  readonly stored: Promise<void>;
};

/** Below the time after which the engine counts a call as lost. */
const maxTalkMs = 240_000;
/** A process that does not confirm a hang-up is gone. */
const hangUpMs = 1_500;

const keyPattern = /^[0-9*#]$/;

/** Listens to the process of a call until it has ended. */
export function createLeg(parts: LegParts): SipLeg {
  return new RunningLeg(parts);
}

type EndedByUs = 'rang long enough' | 'hung up';

class RunningLeg implements SipLeg {
  readonly conversation: Conversation;
  readonly #parts: LegParts;
  readonly #placed = Promise.withResolvers<ChannelOutcome>();
  readonly #closed = Promise.withResolvers<ChannelOutcome>();
  readonly #stored = Promise.withResolvers<void>();
  /** Undefined until the trunk has answered. */
  #state: ChannelOutcome | undefined;
  #hasRung = false;
  #wasAnswered = false;
  #endedByUs: EndedByUs | undefined;
  #limit: NodeJS.Timeout | undefined;

  constructor(parts: LegParts) {
    const { worker, converse } = parts;
    this.#parts = parts;
    this.conversation = converse({
      play: async (file) => void (await worker.command('ausrc', `aufile,${file}`)),
      hangUp: () => this.hangUp(),
    });
    worker.onEvent((event) => this.#onEvent(event));
  }

  get placed(): Promise<ChannelOutcome> {
    return this.#placed.promise;
  }

  get closed(): Promise<ChannelOutcome> {
    return this.#closed.promise;
  }

  get stored(): Promise<void> {
    return this.#stored.promise;
  }

  state(): ChannelOutcome {
    return this.#state ?? { kind: 'accepted', reference: this.#parts.reference };
  }

  onTrying(): void {
    if (this.#state !== undefined) return;
    this.#enter('accepted');
    this.#limitTo(this.#parts.ringSeconds * 1_000, 'rang long enough');
  }

  hangUp(): void {
    this.#endBy('hung up');
  }

  #onEvent({ type, param }: ControlEvent): void {
    if (type === 'CALL_RINGING' || type === 'CALL_PROGRESS') this.#onRinging();
    else if (type === 'CALL_ESTABLISHED') this.#onAnswered();
    else if (type === 'CALL_CLOSED') this.#finish(param);
    else if (type === workerGone) this.#finish(workerGone);
    else if (type === 'CALL_DTMF_START' && keyPattern.test(param))
      this.conversation.handle({ kind: 'key', key: param });
  }

  #onRinging(): void {
    if (this.#hasRung || this.#wasAnswered) return;
    this.#hasRung = true;
    this.#enter('ringing');
    if (this.#endedByUs === undefined) this.#limitTo(this.#parts.ringSeconds * 1_000, 'rang long enough');
  }

  #onAnswered(): void {
    if (this.#wasAnswered) return;
    this.#wasAnswered = true;
    this.#enter('answered');
    // The person picked up in the moment in which we gave up.
    if (this.#endedByUs !== undefined) return this.#endBy(this.#endedByUs);
    this.#limitTo(maxTalkMs, 'hung up');
    this.conversation.handle({ kind: 'answered' });
  }

  #enter(kind: 'accepted' | 'ringing' | 'answered'): void {
    const { reference, report } = this.#parts;
    if (this.#state === undefined) this.#placed.resolve({ kind: 'accepted', reference });
    const entered = { kind, reference };
    this.#state = entered;
    if (kind !== 'accepted') void report(entered);
  }

  #endBy(why: EndedByUs): void {
    if (isOver(this.#state)) return;
    this.#endedByUs ??= why;
    // Without an answer of the trunk baresip would repeat its INVITE after a hang-up.
    if (this.#state === undefined) return this.#finish('');
    clearTimeout(this.#limit);
    this.#limit = setTimeout(() => this.#finish(''), hangUpMs);
    void this.#parts.worker.command('hangup');
  }

  #limitTo(ms: number, why: EndedByUs): void {
    clearTimeout(this.#limit);
    this.#limit = setTimeout(() => this.#endBy(why), ms);
  }

  #finish(param: string): void {
    if (isOver(this.#state)) return;
    clearTimeout(this.#limit);
    this.conversation.stop();
    const { reference, report } = this.#parts;
    const [hasRung, wasAnswered, endedByUs] = [this.#hasRung, this.#wasAnswered, this.#endedByUs];
    const heard = this.conversation.heard();
    const outcome = outcomeOfClose({ reference, param, hasRung, wasAnswered, endedByUs, heard });
    const isReported = this.#state !== undefined;
    this.#state = outcome;
    this.#placed.resolve(outcome);
    this.#closed.resolve(outcome);
    void (isReported ? report(outcome) : Promise.resolve()).finally(() => this.#stored.resolve());
  }
}

function isOver(state: ChannelOutcome | undefined): boolean {
  return state !== undefined && !['accepted', 'ringing', 'answered'].includes(state.kind);
}
