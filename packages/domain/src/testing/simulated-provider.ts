import type { Medium } from '../calling/call-plan.ts';
import type { AttemptOutcome } from '../calling/delivery.ts';
import type { SimulationClock } from './simulation-clock.ts';
import type { Random } from './simulation-random.ts';

/** The behaviour of a channel for some time. */
export type Weather = 'good' | 'down' | 'hangs' | 'hangs-after-accepting' | 'lies' | 'rejects';

/** The reaction of a person to a ringing phone. */
export type Habit = 'picks-up' | 'confirms' | 'busy' | 'sleeps' | 'declines';

export type SendRequest = {
  channelId: number;
  attemptIds: readonly number[];
  userId: number;
  medium: Medium;
  /** May be called several times, or never. */
  respond(outcome: AttemptOutcome, heard?: ReadonlySet<number>): void;
};

export type LoggedRequest = {
  atMs: number;
  channelId: number;
  attemptIds: readonly number[];
  accepted: boolean;
  /** When the call ended; undefined while it may go on, and for messages. */
  endedMs?: number;
};

type ReportCall = (outcome: AttemptOutcome, heard?: ReadonlySet<number>) => void;

type World = {
  clock: SimulationClock;
  random: Random;
  weatherAt(channelId: number, nowMs: number): Weather;
  habitOf(userId: number): Habit;
  /** Called when the message has really reached the person; with the alarms that were said in a call. */
  onReached(userId: number, attemptIds: readonly number[]): void;
  /** Called when a person takes the alarms of a call. */
  onTaken(attemptIds: readonly number[], heard: ReadonlySet<number>): void;
  /** Called for a delivery receipt, which comes by another way than the response to the request. */
  onReceipt(attemptIds: readonly number[], outcome: AttemptOutcome): void;
};

const voiceOutcome: Record<Habit, AttemptOutcome> = {
  'picks-up': { kind: 'answered' },
  confirms: { kind: 'acknowledged' },
  busy: { kind: 'busy' },
  sleeps: { kind: 'noAnswer' },
  declines: { kind: 'refused', reason: 'declined' },
};

const liveKinds: readonly AttemptOutcome['kind'][] = ['accepted', 'answered', 'acknowledged'];

/** The telephone, SMS and mail providers, which may fail in every way. */
export class SimulatedProvider {
  readonly log: LoggedRequest[] = [];
  /** Attempts whose alarm was said in a call. */
  readonly said = new Set<number>();
  readonly #world: World;
  /** The outcome of each attempt, for queries. */
  readonly #outcomes = new Map<number, AttemptOutcome>();
  readonly #hungUp = new Set<number>();

  constructor(world: World) {
    this.#world = world;
  }

  send(request: SendRequest): void {
    const { clock, random, weatherAt } = this.#world;
    const weather = weatherAt(request.channelId, clock.nowMs);
    const { channelId, attemptIds } = request;
    const accepted = weather === 'good' || weather === 'lies' || weather === 'hangs-after-accepting';
    const logged: LoggedRequest = { atMs: clock.nowMs, channelId, attemptIds, accepted };
    this.log.push(logged);
    if (accepted) return this.#accept(request, weather, logged);
    logged.endedMs = clock.nowMs;
    if (weather === 'hangs') return;
    const permanent = weather === 'rejects';
    const outcome: AttemptOutcome = {
      kind: 'failed',
      permanent,
      reason: permanent ? 'no such number' : 'HTTP 500',
    };
    clock.after(random.between(20, 400), () => request.respond(outcome));
  }

  /** The outcome of an attempt; undefined for no response. */
  query(channelId: number, attemptId: number): AttemptOutcome | undefined {
    const { clock, weatherAt } = this.#world;
    const weather = weatherAt(channelId, clock.nowMs);
    if (weather !== 'good' && weather !== 'lies') return undefined;
    return this.#outcomes.get(attemptId) ?? { kind: 'failed', permanent: false, reason: 'never seen' };
  }

  hangUp(attemptId: number): void {
    this.#hungUp.add(attemptId);
    const call = this.log.findLast(({ attemptIds }) => attemptIds.includes(attemptId));
    if (call?.attemptIds.every((id) => this.#hungUp.has(id))) call.endedMs ??= this.#world.clock.nowMs;
  }

  #accept(request: SendRequest, weather: Weather, logged: LoggedRequest): void {
    const { clock, random } = this.#world;
    const { attemptIds, medium, respond } = request;
    const report = (outcome: AttemptOutcome, heard?: ReadonlySet<number>) => {
      for (const id of attemptIds) this.#outcomes.set(id, outcome);
      if (medium.kind === 'Voice' && !liveKinds.includes(outcome.kind)) logged.endedMs ??= clock.nowMs;
      if (weather !== 'hangs-after-accepting') respond(outcome, heard);
    };
    clock.after(random.between(30, 1_500), () => report({ kind: 'accepted' }));
    if (medium.kind === 'Voice')
      clock.after(random.between(5_000, 40_000), () => this.#ring(request, weather, report));
    else clock.after(random.between(2_000, 20_000), () => this.#deliver(request, weather));
  }

  #ring({ attemptIds, userId }: SendRequest, weather: Weather, report: ReportCall): void {
    if (attemptIds.every((id) => this.#hungUp.has(id))) return;
    const outcome = weather === 'lies' ? voiceOutcome['picks-up'] : voiceOutcome[this.#world.habitOf(userId)];
    const picksUp = outcome.kind === 'answered' || outcome.kind === 'acknowledged';
    if (!picksUp) return report(outcome);
    report({ kind: 'answered' });
    this.#talk(
      { attemptIds, userId, isReal: weather !== 'lies', takes: outcome.kind === 'acknowledged' },
      report,
    );
  }

  /** The person hears some of the alarms, perhaps takes these, and hangs up. */
  #talk(
    {
      attemptIds,
      userId,
      isReal,
      takes,
    }: { attemptIds: readonly number[]; userId: number; isReal: boolean; takes: boolean },
    report: ReportCall,
  ): void {
    const { clock, random, onReached, onTaken } = this.#world;
    const heard = attemptIds.slice(0, random.between(1, attemptIds.length));
    clock.after(random.between(3_000, 20_000), () => {
      for (const id of heard) this.said.add(id);
      if (isReal) onReached(userId, heard);
      if (isReal && takes) onTaken(attemptIds, new Set(heard));
      if (isReal && takes) report({ kind: 'acknowledged' }, new Set(heard));
      report({ kind: 'ended', reason: '' }, new Set(heard));
    });
  }

  #deliver({ attemptIds, userId }: SendRequest, weather: Weather): void {
    const { random, onReached, onReceipt } = this.#world;
    for (const id of attemptIds) this.#outcomes.set(id, { kind: 'delivered' });
    if (random.chance(0.7)) onReceipt(attemptIds, { kind: 'delivered' });
    if (weather !== 'lies') onReached(userId, attemptIds);
  }
}
