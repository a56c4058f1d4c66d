import type { Medium } from '../call-plan.ts';
import type { Outcome } from '../delivery.ts';
import type { SimulationClock } from './simulation-clock.ts';
import type { Random } from './simulation-random.ts';

/** How a channel behaves for a while. */
export type Weather = 'good' | 'down' | 'hangs' | 'hangs-after-accepting' | 'lies' | 'rejects';

/** What a person does with a phone that rings. */
export type Habit = 'picks-up' | 'confirms' | 'busy' | 'sleeps' | 'declines';

export type SendRequest = {
  channelId: number;
  attemptIds: readonly number[];
  userId: number;
  medium: Medium;
  /** May be called several times, or never. */
  respond(outcome: Outcome): void;
};

export type LoggedRequest = {
  atMs: number;
  channelId: number;
  attemptIds: readonly number[];
  accepted: boolean;
};

type World = {
  clock: SimulationClock;
  random: Random;
  weatherAt(channelId: number, nowMs: number): Weather;
  habitOf(userId: number): Habit;
  /** Called when the message has truly come to the person. */
  heard(userId: number, attemptIds: readonly number[]): void;
  /** A receipt, which comes through another door than the answer to the request. */
  receipt(attemptIds: readonly number[], outcome: Outcome): void;
};

const voiceOutcome: Record<Habit, Outcome> = {
  'picks-up': { kind: 'answered' },
  confirms: { kind: 'acknowledged' },
  busy: { kind: 'busy' },
  sleeps: { kind: 'noAnswer' },
  declines: { kind: 'refused', reason: 'declined' },
};

/** The phone company, the SMS centre and the mail server: outside, and not to be trusted. */
export class SimulatedProvider {
  readonly log: LoggedRequest[] = [];
  readonly #world: World;
  /** What the provider knows of each attempt, for those who ask. */
  readonly #known = new Map<number, Outcome>();
  readonly #hungUp = new Set<number>();

  constructor(world: World) {
    this.#world = world;
  }

  send(request: SendRequest): void {
    const { clock, random, weatherAt } = this.#world;
    const weather = weatherAt(request.channelId, clock.nowMs);
    const { channelId, attemptIds } = request;
    const accepted = weather === 'good' || weather === 'lies' || weather === 'hangs-after-accepting';
    this.log.push({ atMs: clock.nowMs, channelId, attemptIds, accepted });
    if (accepted) return this.#accept(request, weather);
    if (weather === 'hangs') return;
    const permanent = weather === 'rejects';
    const outcome: Outcome = { kind: 'failed', permanent, reason: permanent ? 'no such number' : 'HTTP 500' };
    clock.after(random.between(20, 400), () => request.respond(outcome));
  }

  /** What became of an attempt, by the id we gave it; undefined when no answer comes. */
  ask(channelId: number, attemptId: number): Outcome | undefined {
    const { clock, weatherAt } = this.#world;
    const weather = weatherAt(channelId, clock.nowMs);
    if (weather !== 'good' && weather !== 'lies') return undefined;
    return this.#known.get(attemptId) ?? { kind: 'failed', permanent: false, reason: 'never seen' };
  }

  hangUp(attemptId: number): void {
    this.#hungUp.add(attemptId);
  }

  #accept(request: SendRequest, weather: Weather): void {
    const { clock, random } = this.#world;
    const { attemptIds, medium, respond } = request;
    const tell = (outcome: Outcome) => {
      for (const id of attemptIds) this.#known.set(id, outcome);
      if (weather !== 'hangs-after-accepting') respond(outcome);
    };
    clock.after(random.between(30, 1_500), () => tell({ kind: 'accepted' }));
    if (medium.kind === 'Voice')
      clock.after(random.between(5_000, 40_000), () => this.#ring(request, weather, tell));
    else clock.after(random.between(2_000, 20_000), () => this.#deliver(request, weather));
  }

  #ring({ attemptIds, userId }: SendRequest, weather: Weather, tell: (outcome: Outcome) => void): void {
    if (attemptIds.every((id) => this.#hungUp.has(id))) return;
    const outcome = weather === 'lies' ? voiceOutcome['picks-up'] : voiceOutcome[this.#world.habitOf(userId)];
    tell(outcome);
    const picksUp = outcome.kind === 'answered' || outcome.kind === 'acknowledged';
    if (weather !== 'lies' && picksUp) this.#world.heard(userId, attemptIds);
  }

  #deliver({ attemptIds, userId }: SendRequest, weather: Weather): void {
    const { random, heard, receipt } = this.#world;
    for (const id of attemptIds) this.#known.set(id, { kind: 'delivered' });
    if (random.chance(0.7)) receipt(attemptIds, { kind: 'delivered' });
    if (weather !== 'lies') heard(userId, attemptIds);
  }
}
