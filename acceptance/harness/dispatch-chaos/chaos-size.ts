/** Size of the runs, from the environment; by default small enough for a build server. */
export type ChaosSize = {
  /** One run for each seed. */
  seeds: number[];
  /** Installations with separate databases that share the runs. */
  plants: number;
  /** Alarms raised in one run, each of which calls people. */
  alarms: number;
  /** Duration over which they are raised. */
  seconds: number;
  /** Maximum delay before an operator acts on an alarm. */
  actSeconds: number;
  /** Duration of a database outage. */
  outageSeconds: number;
  /** Duration of a mask that an operator ends. */
  maskSeconds: number;
};

const small = {
  seeds: 20,
  plants: 3,
  alarms: 100,
  seconds: 12,
  actSeconds: 6,
  outageSeconds: 2,
  maskSeconds: 4,
};
const full = {
  seeds: 1,
  plants: 1,
  alarms: 2_000,
  seconds: 180,
  actSeconds: 12,
  outageSeconds: 20,
  maskSeconds: 8,
};

/**
 * `CHAOS=full`, or `CHAOS_SEEDS`, `CHAOS_PLANTS`, `CHAOS_ALARMS`, `CHAOS_SECONDS`; `CHAOS_SEED` repeats one run.
 */
export function chaosSize(environment: NodeJS.ProcessEnv): ChaosSize {
  const usual = environment['CHAOS'] === 'full' ? full : small;
  const number = (name: string, otherwise: number) => Number(environment[name] ?? otherwise);
  const first = number('CHAOS_SEED', 1);
  const runs = number('CHAOS_SEEDS', environment['CHAOS_SEED'] === undefined ? usual.seeds : 1);
  return {
    seeds: Array.from({ length: runs }, (_, index) => first + index),
    plants: Math.min(runs, number('CHAOS_PLANTS', usual.plants)),
    alarms: number('CHAOS_ALARMS', usual.alarms),
    seconds: number('CHAOS_SECONDS', usual.seconds),
    actSeconds: usual.actSeconds,
    outageSeconds: usual.outageSeconds,
    maskSeconds: usual.maskSeconds,
  };
}
