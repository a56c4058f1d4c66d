import { dice } from '../alarm-traffic.ts';
import type { Faults } from '../phone-company/protocol.ts';
import type { ChaosSize } from './chaos-size.ts';

/** Something that goes wrong `at` so many seconds after the start, for so long. */
export type Fault = { at: number; seconds: number } & (
  | { kind: 'kill-dispatcher' | 'stop-dispatcher' | 'kill-api'; process: number }
  | { kind: 'lose-database' }
  | { kind: 'company-fault'; media: readonly Medium[]; faults: Faults }
);

/** Each has a phone company of its own. */
export type Medium = 'Voice' | 'Sms';

export const dispatchers = 3;
export const apis = 2;

/** A lease is ten seconds: whoever sleeps longer has lost what he had taken. */
const pastTheLease = 12;
const shortestQuiet = 4;
/** Somebody must have seen that a dispatcher is gone before the next thing happens to it. */
const settlingSeconds = 3;

const companyFaults: Faults[] = [
  { hangAfterAccept: true },
  { status: 500 },
  { hangBeforeAccept: true },
  { loseCallbacks: true },
  { status: 429, retryAfterSeconds: 1 },
  { hangAfterAccept: true, forgetful: true },
  { doubleCallbacks: true },
];
const illMedia: (readonly Medium[])[] = [['Voice'], ['Voice', 'Sms'], ['Sms']];

type Roll = (sides: number) => number;

/**
 * What goes wrong in a run, the same for the same seed. Nothing does at first, so that the times of a
 * healthy plant are measured too. Then a dispatcher is killed, another is stopped, and a phone company is faulty, or both are,
 * with one fault for each seed in turn; every other seed loses its database. As long as there is time more of it follows.
 */
export function faultSchedule(seed: number, size: ChaosSize): Fault[] {
  const roll = dice(seed);
  const quiet = Math.max(shortestQuiet, size.seconds / 4);
  return [...certain(seed, { size, quiet, roll }), ...more(seed, { size, quiet, roll })].toSorted(
    (one, other) => one.at - other.at,
  );
}

type Times = { size: ChaosSize; quiet: number; roll: Roll };

/** Calls are on their way when the dispatcher is stopped, and some of them hang. */
function certain(seed: number, { size: { seconds, outageSeconds }, quiet, roll }: Times): Fault[] {
  const killed = roll(dispatchers);
  const stopped = (killed + 1 + roll(dispatchers - 1)) % dispatchers;
  const stoppedAt = quiet + 1 + roll(2);
  const { faults, media } = companyFaultOf(seed);
  // Whoever takes over then has nobody to ask, and the one who was stopped comes back with another answer.
  const faultySeconds = faults.forgetful === true ? stoppedAt - quiet + pastTheLease : 4;
  const later = seconds / 2 + roll(Math.ceil(seconds / 4));
  const outage: Fault = { at: later, seconds: outageSeconds, kind: 'lose-database' };
  const api: Fault = { at: later, seconds: roll(3), kind: 'kill-api', process: roll(apis) };
  return [
    { at: quiet, seconds: faultySeconds, kind: 'company-fault', media, faults },
    { at: stoppedAt, seconds: pastTheLease, kind: 'stop-dispatcher', process: stopped },
    { at: quiet + roll(settlingSeconds), seconds: roll(4), kind: 'kill-dispatcher', process: killed },
    ...(seed % 2 === 0 || seconds > 60 ? [outage] : []),
    ...(seed % 2 === 1 || seconds > 60 ? [api] : []),
  ];
}

function more(seed: number, { size: { seconds }, quiet, roll }: Times): Fault[] {
  const spread = Math.max(2, seconds / 24);
  const begin = quiet + spread + settlingSeconds;
  const faults: Fault[] = [];
  for (let at = begin; at < seconds; at += spread + roll(Math.ceil(spread)))
    if (roll(4) > 0) faults.push(processFault(at, { seconds, roll }));
  let number = seed;
  for (let at = begin + spread * 2; at < seconds; at += spread * 2 + roll(Math.ceil(spread)))
    faults.push({ at, seconds: Math.min(8, spread * 2), kind: 'company-fault', ...companyFaultOf(++number) });
  return faults;
}

function companyFaultOf(number: number): { faults: Faults; media: readonly Medium[] } {
  return {
    faults: companyFaults[number % companyFaults.length] ?? {},
    media: illMedia[number % illMedia.length] ?? [],
  };
}

/** Nobody is stopped towards the end: the run would have to wait for him. */
function processFault(at: number, { seconds, roll }: { seconds: number; roll: Roll }): Fault {
  const kind = roll(10);
  if (kind >= 8) return { at, seconds: roll(3), kind: 'kill-api', process: roll(apis) };
  const process = roll(dispatchers);
  if (kind < 5 || at + pastTheLease > seconds)
    return { at, seconds: roll(4), kind: 'kill-dispatcher', process };
  return { at, seconds: pastTheLease + roll(4), kind: 'stop-dispatcher', process };
}

/** As a log says it. */
export function describeFault(fault: Fault): string {
  if (fault.kind === 'company-fault')
    return `faulty company of ${fault.media.join(' and ')} ${JSON.stringify(fault.faults)}`;
  if (fault.kind === 'lose-database') return `database away ${fault.seconds} s`;
  const names = { 'kill-dispatcher': 'dispatcher', 'stop-dispatcher': 'dispatcher', 'kill-api': 'api' };
  const how = fault.kind === 'stop-dispatcher' ? `stopped ${fault.seconds} s` : 'killed';
  return `${names[fault.kind]} ${fault.process} ${how}`;
}
