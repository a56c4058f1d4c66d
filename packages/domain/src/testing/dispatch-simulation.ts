import { stateBits } from '../alarm-state.ts';
import { bundleUp } from '../bundle.ts';
import { settle } from '../delivery.ts';
import { advance } from '../escalation.ts';
import { channelIds, makePlant, type PlannedAlarm, type Plant, stormMs } from './simulated-plant.ts';
import { SimulatedProvider } from './simulated-provider.ts';
import { type AlarmRow, type Rules, SimulatedStore } from './simulated-store.ts';
import { SimulatedWorker, workerCount } from './simulated-worker.ts';
import { violationsOf } from './simulation-checks.ts';
import { SimulationClock } from './simulation-clock.ts';
import { type Random, randomFrom } from './simulation-random.ts';

export const realRules: Rules = { advance, settle, bundleUp };

export type SimulatedNight = {
  seed: number;
  violations: string[];
  /** Of everything that happened, in order: the same seed gives the same. */
  hash: string;
  requests: number;
  unknowns: number;
  bundles: number;
  takenOver: number;
};

const startMs = Date.UTC(2026, 3, 29, 20);
const nightMs = stormMs + 7 * 60_000;

/**
 * One night of a made-up plant, with three dispatchers that die and stand still, providers that hang and lie, and people
 * who sleep. No thread, no timer and no real clock: a seed that fails fails again, in the same way.
 */
export function simulateNight(
  seed: number,
  rules: Rules = realRules,
  log?: (line: string) => void,
): SimulatedNight {
  const random = randomFrom(seed);
  const plant = makePlant(random);
  const clock = new SimulationClock(startMs);
  const store = new SimulatedStore(rules);
  const digest = new Digest();
  store.note = (line) => {
    digest.add(`${clock.nowMs - startMs} ${line}`);
    log?.(`${clock.nowMs - startMs} ${line}`);
  };
  store.onDutyAt = () => plant.onDuty;
  const provider = providerOf({ clock, random, store, plant });
  store.onHangUp = ({ id }) => provider.hangUp(id);

  for (const [index, planned] of plant.alarms.entries()) planAlarm({ clock, store }, index + 1, planned);
  employWorkers({ clock, random, store, provider, plant });
  clock.runUntil(startMs + nightMs);
  return summary(seed, { store, provider, hash: digest.text, endMs: clock.nowMs });
}

type World = { clock: SimulationClock; random: Random; store: SimulatedStore; plant: Plant };

function providerOf({ clock, random, store, plant }: World): SimulatedProvider {
  const take = (attemptIds: readonly number[]) => {
    for (const id of attemptIds) {
      const duty = store.duties.get(store.attempts.get(id)?.dutyId ?? 0);
      if (duty) store.changeAlarm(duty.alarmId, clock.nowMs, acknowledgeRow);
    }
  };
  return new SimulatedProvider({
    clock,
    random,
    weatherAt: (channelId, nowMs) =>
      plant.weather.get(channelId)?.findLast(({ fromMs }) => startMs + fromMs <= nowMs)?.weather ?? 'good',
    habitOf: (userId) => plant.habits.get(userId) ?? 'sleeps',
    heard: (_, attemptIds) => {
      if (random.chance(plant.diligence)) clock.after(random.between(1_000, 30_000), () => take(attemptIds));
    },
    receipt: (attemptIds, outcome) => {
      for (const id of attemptIds) store.report(id, { outcome }, clock.nowMs);
    },
  });
}

function employWorkers({ plant, ...world }: World & { provider: SimulatedProvider }): void {
  const { clock } = world;
  const channels = new Map(
    Object.entries(channelIds).map(([kind, ids]) => [kind, ids.map((id) => ({ id, healthy: true }))]),
  );
  const trouble = () => (clock.nowMs < startMs + stormMs ? plant.trouble : 0);
  const office = { ...world, channels, buckets: new Map(), trouble };
  for (let count = 0; count < workerCount; count++) new SimulatedWorker(office).start();
}

function planAlarm(
  { clock, store }: Pick<World, 'clock' | 'store'>,
  id: number,
  { raisedMs, plan, resetMs, acknowledgedMs, masked }: PlannedAlarm,
): void {
  const at = (offsetMs: number | undefined, change: (alarm: AlarmRow) => void) => {
    if (offsetMs !== undefined)
      clock.at(startMs + offsetMs, () => store.changeAlarm(id, clock.nowMs, change));
  };
  const raised = { id, state: stateBits.active | stateBits.unacknowledged, raisedMs: startMs + raisedMs };
  clock.at(startMs + raisedMs, () => store.openDuty(raised, plan, clock.nowMs));
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

function summary(
  seed: number,
  { hash, ...night }: { store: SimulatedStore; provider: SimulatedProvider; hash: string; endMs: number },
): SimulatedNight {
  const attempts = [...night.store.attempts.values()];
  return {
    seed,
    hash,
    violations: violationsOf(night),
    requests: night.provider.log.length,
    unknowns: attempts.filter(({ status }) => status === 'unknown').length,
    bundles: night.provider.log.filter(({ attemptIds }) => attemptIds.length > 1).length,
    takenOver: attempts.filter(({ fence }) => fence > 1).length,
  };
}

/** FNV-1a over all that is noted, 32 bits: enough to tell two nights apart. */
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
