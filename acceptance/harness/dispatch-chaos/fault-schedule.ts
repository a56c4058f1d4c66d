import { dice } from '../alarm-traffic.ts';
import type { Faults } from '../phone-company/protocol.ts';
import type { ChaosSize } from './chaos-size.ts';

/** Something that goes wrong `at` so many seconds after the start, for so long. */
export type Fault = { at: number; seconds: number } & (
  | { kind: 'kill-dispatcher' | 'stop-dispatcher' | 'kill-api'; process: number }
  | { kind: 'lose-database' }
  | { kind: 'ill-company'; faults: Faults }
);

export const dispatchers = 3;
export const apis = 2;

/** A lease is ten seconds: whoever sleeps longer has lost what he had taken. */
const pastTheLease = 12;

const illnesses: Faults[] = [
  { hangAfterAccept: true },
  { hangBeforeAccept: true },
  { status: 500 },
  { status: 429, retryAfterSeconds: 1 },
  { loseCallbacks: true },
  { doubleCallbacks: true },
  { hangAfterAccept: true, forgetful: true },
];

/**
 * What goes wrong in a run, the same for the same seed. Nothing does in its first quarter, so that the times of a
 * healthy plant are measured too. Processes fail one after the other, and the phone company beside them.
 */
export function faultSchedule(seed: number, { seconds, outageSeconds }: ChaosSize): Fault[] {
  const roll = dice(seed);
  const quiet = seconds / 4;
  const spread = Math.max(2, seconds / 24);
  const processes: Fault[] = [];
  for (let at = quiet; at < seconds; at += spread + roll(Math.ceil(spread)))
    if (roll(4) > 0) processes.push(processFault(at, roll));
  const company: Fault[] = [];
  for (let at = quiet; at < seconds; at += spread * 3 + roll(Math.ceil(spread * 3)))
    company.push({
      at,
      seconds: Math.min(8, spread * 2),
      kind: 'ill-company',
      faults: illnesses[roll(illnesses.length)] ?? {},
    });
  const at = seconds / 2 + roll(Math.ceil(seconds / 4));
  return [...processes, ...company, { at, seconds: outageSeconds, kind: 'lose-database' }];
}

function processFault(at: number, roll: (sides: number) => number): Fault {
  const kind = roll(10);
  if (kind < 5) return { at, seconds: roll(4), kind: 'kill-dispatcher', process: roll(dispatchers) };
  if (kind < 8)
    return { at, seconds: pastTheLease + roll(4), kind: 'stop-dispatcher', process: roll(dispatchers) };
  return { at, seconds: roll(3), kind: 'kill-api', process: roll(apis) };
}
