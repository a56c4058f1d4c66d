import { seededRandom } from '../http/alarm-traffic.ts';
import type { Faults } from '../phone-company/protocol.ts';
import type { ChaosSize } from './chaos-size.ts';

/** A fault that begins `at` seconds after the start and lasts `seconds`. */
export type Fault = { at: number; seconds: number } & (
  | { kind: 'kill-dispatcher' | 'stop-dispatcher' | 'kill-api'; process: number }
  | { kind: 'lose-database' }
  | { kind: 'company-fault'; media: readonly Medium[]; faults: Faults }
);

/** Each medium has its own phone company. */
export type Medium = 'Voice' | 'Sms';

export const dispatchers = 3;
export const apis = 2;

/** Longer than a lease of ten seconds, so that a suspended dispatcher loses its claims. */
const beyondLeaseSeconds = 12;
const minQuietSeconds = 4;
/** Time for other dispatchers to take over before the next fault of a process. */
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
const faultyMedia: (readonly Medium[])[] = [['Voice'], ['Voice', 'Sms'], ['Sms']];

type Random = (below: number) => number;

/**
 * The faults of a run, the same for the same seed. The run begins without faults, so that the times of a healthy plant are
 * measured too. Then one dispatcher is killed, another is suspended, and one or both phone companies are faulty, with another
 * fault for each seed; every second seed loses its database. More faults follow until the end.
 */
export function faultSchedule(seed: number, size: ChaosSize): Fault[] {
  const random = seededRandom(seed);
  const quiet = Math.max(minQuietSeconds, size.seconds / 4);
  return [...certain(seed, { size, quiet, random }), ...more(seed, { size, quiet, random })].toSorted(
    (one, other) => one.at - other.at,
  );
}

type Times = { size: ChaosSize; quiet: number; random: Random };

/** Faults of every run. Calls are under way when the dispatcher is suspended. */
function certain(seed: number, { size: { seconds, outageSeconds }, quiet, random }: Times): Fault[] {
  const killed = random(dispatchers);
  const stopped = (killed + 1 + random(dispatchers - 1)) % dispatchers;
  const stoppedAt = quiet + 1 + random(2);
  const { faults, media } = companyFaultOf(seed);
  // The dispatcher that takes over gets no status, and the suspended one resumes with another answer.
  const faultySeconds = faults.forgetful === true ? stoppedAt - quiet + beyondLeaseSeconds : 4;
  const later = seconds / 2 + random(Math.ceil(seconds / 4));
  const outage: Fault = { at: later, seconds: outageSeconds, kind: 'lose-database' };
  const api: Fault = { at: later, seconds: random(3), kind: 'kill-api', process: random(apis) };
  return [
    { at: quiet, seconds: faultySeconds, kind: 'company-fault', media, faults },
    { at: stoppedAt, seconds: beyondLeaseSeconds, kind: 'stop-dispatcher', process: stopped },
    { at: quiet + random(settlingSeconds), seconds: random(4), kind: 'kill-dispatcher', process: killed },
    ...(seed % 2 === 0 || seconds > 60 ? [outage] : []),
    ...(seed % 2 === 1 || seconds > 60 ? [api] : []),
  ];
}

function more(seed: number, { size: { seconds }, quiet, random }: Times): Fault[] {
  const spread = Math.max(2, seconds / 24);
  const begin = quiet + spread + settlingSeconds;
  const faults: Fault[] = [];
  for (let at = begin; at < seconds; at += spread + random(Math.ceil(spread)))
    if (random(4) > 0) faults.push(processFault(at, { seconds, random }));
  let number = seed;
  for (let at = begin + spread * 2; at < seconds; at += spread * 2 + random(Math.ceil(spread)))
    faults.push({ at, seconds: Math.min(8, spread * 2), kind: 'company-fault', ...companyFaultOf(++number) });
  return faults;
}

function companyFaultOf(number: number): { faults: Faults; media: readonly Medium[] } {
  return {
    faults: companyFaults[number % companyFaults.length] ?? {},
    media: faultyMedia[number % faultyMedia.length] ?? [],
  };
}

/** No dispatcher is suspended near the end, because the run would have to wait for it. */
function processFault(at: number, { seconds, random }: { seconds: number; random: Random }): Fault {
  const kind = random(10);
  if (kind >= 8) return { at, seconds: random(3), kind: 'kill-api', process: random(apis) };
  const process = random(dispatchers);
  if (kind < 5 || at + beyondLeaseSeconds > seconds)
    return { at, seconds: random(4), kind: 'kill-dispatcher', process };
  return { at, seconds: beyondLeaseSeconds + random(4), kind: 'stop-dispatcher', process };
}

/** The fault as a line of the log. */
export function describeFault(fault: Fault): string {
  if (fault.kind === 'company-fault')
    return `faulty company of ${fault.media.join(' and ')} ${JSON.stringify(fault.faults)}`;
  if (fault.kind === 'lose-database') return `database away ${fault.seconds} s`;
  const names = { 'kill-dispatcher': 'dispatcher', 'stop-dispatcher': 'dispatcher', 'kill-api': 'api' };
  const how = fault.kind === 'stop-dispatcher' ? `stopped ${fault.seconds} s` : 'killed';
  return `${names[fault.kind]} ${fault.process} ${how}`;
}
