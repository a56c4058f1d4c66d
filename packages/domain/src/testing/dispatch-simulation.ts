import { stateBits } from '../alarm/alarm-state.ts';
import { bundleAttempts } from '../calling/bundle.ts';
import { takenAttempts } from '../calling/call-end.ts';
import { settle } from '../calling/delivery.ts';
import { advance } from '../calling/escalation.ts';
import { splitByLine } from '../calling/phone-line.ts';
import { quietTimeOf } from '../calling/repeat-call.ts';
import { channelIds, makePlant, type PlannedAlarm, type Plant, stormMs } from './simulated-plant.ts';
import { SimulatedProvider } from './simulated-provider.ts';
import { type AlarmRow, type Rules, SimulatedStore } from './simulated-store.ts';
import { SimulatedWorker, workerCount } from './simulated-worker.ts';
import { type Night, violationsOf } from './simulation-checks.ts';
import { SimulationClock } from './simulation-clock.ts';
import { type Random, randomFrom } from './simulation-random.ts';

export const realRules: Rules = {
  advance,
  settle,
  bundleAttempts,
  splitByLine,
  takenAttempts,
  quietTimeOf,
};

export type SimulatedNight = {
  seed: number;
  violations: string[];
  /** Hash of all events in order: the same seed gives the same hash. */
  hash: string;
  requests: number;
  unknowns: number;
  bundles: number;
  takenOver: number;
  /** People who were left out because of their own rules. */
  quietHours: number;
  /** Attempts that waited because their person had just been reached about the tag, and were made afterwards. */
  quietTimes: number;
};

const startMs = Date.UTC(2026, 3, 29, 20);
const rulesSeed = 1_000_000;
const nightMs = stormMs + 7 * 60_000;

/**
 * Simulates one night of a random plant, with three dispatchers that die or are suspended, providers that hang or report
 * wrongly, and people who sleep. Without threads, timers and a real clock, a seed that fails always fails the same way.
 */
export function simulateNight(
  seed: number,
  rules: Rules = realRules,
  log?: (line: string) => void,
): SimulatedNight {
  const random = randomFrom(seed);
  const plant = makePlant(random, randomFrom(seed + rulesSeed));
  const clock = new SimulationClock(startMs);
  const store = new SimulatedStore(rules);
  const digest = new Digest();
  store.note = (line) => {
    digest.add(`${clock.nowMs - startMs} ${line}`);
    log?.(`${clock.nowMs - startMs} ${line}`);
  };
  store.quietSeconds = plant.quietSeconds;
  store.onDutyAt = () => plant.onDuty;
  const provider = providerOf({ clock, random, store, plant });
  store.onHangUp = ({ id }) => provider.hangUp(id);

  for (const [index, planned] of plant.alarms.entries()) planAlarm({ clock, store }, index + 1, planned);
  startWorkers({ clock, random, store, provider, plant });
  clock.runUntil(startMs + nightMs);
  return summary(seed, { store, provider, hash: digest.text, startMs, endMs: clock.nowMs });
}

type World = { clock: SimulationClock; random: Random; store: SimulatedStore; plant: Plant };

function providerOf({ clock, random, store, plant }: World): SimulatedProvider {
  const acknowledge = (attemptIds: readonly number[]) => {
    for (const id of attemptIds) {
      const escalation = store.escalations.get(store.attempts.get(id)?.escalationId ?? 0);
      if (escalation) store.changeAlarm(escalation.alarmId, clock.nowMs, acknowledgeRow);
    }
  };
  return new SimulatedProvider({
    clock,
    random,
    weatherAt: (channelId, nowMs) =>
      plant.weather.get(channelId)?.findLast(({ fromMs }) => startMs + fromMs <= nowMs)?.weather ?? 'good',
    habitOf: (userId) => plant.habits.get(userId) ?? 'sleeps',
    onReached: (_, attemptIds) => {
      if (random.chance(plant.diligence))
        clock.after(random.between(1_000, 30_000), () => acknowledge(attemptIds));
    },
    onTaken: (attemptIds, heard) => {
      const taken = store.rules.takenAttempts(attemptIds, heard);
      for (const id of taken) store.taken.add(id);
      acknowledge(taken);
    },
    onReceipt: (attemptIds, outcome) => {
      for (const id of attemptIds) store.report(id, { outcome }, clock.nowMs);
    },
  });
}

function startWorkers({ plant, ...world }: World & { provider: SimulatedProvider }): void {
  const { clock } = world;
  const channels = new Map(
    Object.entries(channelIds).map(([kind, ids]) => [kind, ids.map((id) => ({ id, healthy: true }))]),
  );
  const faultRate = () => (clock.nowMs < startMs + stormMs ? plant.faultRate : 0);
  const context = { ...world, channels, buckets: new Map(), faultRate };
  for (let count = 0; count < workerCount; count++) new SimulatedWorker(context).start();
}

function planAlarm(
  { clock, store }: Pick<World, 'clock' | 'store'>,
  id: number,
  { tagId, raisedMs, plan, resetMs, acknowledgedMs, masked }: PlannedAlarm,
): void {
  const at = (offsetMs: number | undefined, change: (alarm: AlarmRow) => void) => {
    if (offsetMs !== undefined)
      clock.at(startMs + offsetMs, () => store.changeAlarm(id, clock.nowMs, change));
  };
  const state = stateBits.active | stateBits.unacknowledged;
  const raised = { id, tagId, state, raisedMs: startMs + raisedMs };
  clock.at(startMs + raisedMs, () => store.openEscalation(raised, plan, clock.nowMs));
  at(acknowledgedMs, acknowledgeRow);
  at(resetMs, (alarm) => {
    alarm.state &= ~stateBits.active;
    alarm.resetMs ??= clock.nowMs;
  });
  at(masked?.fromMs, (alarm) => {
    alarm.state |= stateBits.maskedByUser;
    alarm.maskUntilMs = startMs + (masked?.toMs ?? 0);
  });
  at(masked?.toMs, (alarm) => {
    alarm.state &= ~stateBits.maskedByUser;
    delete alarm.maskUntilMs;
  });
}

function acknowledgeRow(alarm: AlarmRow): void {
  alarm.state &= ~stateBits.unacknowledged;
}

function summary(seed: number, { hash, ...night }: Night & { hash: string }): SimulatedNight {
  const attempts = [...night.store.attempts.values()];
  const events = [...night.store.escalations.values()].flatMap((escalation) => escalation.events);
  return {
    seed,
    hash,
    violations: violationsOf(night),
    requests: night.provider.log.length,
    unknowns: attempts.filter(({ status }) => status === 'unknown').length,
    bundles: night.provider.log.filter(({ attemptIds }) => attemptIds.length > 1).length,
    takenOver: attempts.filter(({ fencingToken }) => fencingToken > 1).length,
    quietHours: events.filter(({ kind }) => kind === 'quiet').length,
    quietTimes: attempts.filter(({ quietUntil, claimedMs }) => quietUntil && claimedMs).length,
  };
}

/** FNV-1a with 32 bits, enough to distinguish two nights. */
class Digest {
  #hash = 0x811c9dc5;

  get text(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  add(line: string): void {
    for (let index = 0; index < line.length; index++)
      this.#hash = Math.imul(this.#hash ^ line.charCodeAt(index), 0x01000193);
  }
}
