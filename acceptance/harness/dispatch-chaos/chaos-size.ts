/** How large a run is: as the environment says, else as small as a build server has time for. */
export type ChaosSize = {
  /** One run each, on the same installation. */
  seeds: number[];
  /** Raised in one run, all of them with people to call. */
  alarms: number;
  /** Over which they are raised. */
  seconds: number;
  /** How long the database is away, once in a run. */
  outageSeconds: number;
};

const small = { seeds: 8, alarms: 120, seconds: 12, outageSeconds: 2 };
const full = { seeds: 1, alarms: 2_000, seconds: 180, outageSeconds: 20 };

/** `CHAOS=full`, or `CHAOS_SEEDS`, `CHAOS_ALARMS`, `CHAOS_SECONDS`; `CHAOS_SEED` repeats one run. */
export function chaosSize(environment: NodeJS.ProcessEnv): ChaosSize {
  const usual = environment['CHAOS'] === 'full' ? full : small;
  const number = (name: string, otherwise: number) => Number(environment[name] ?? otherwise);
  const first = number('CHAOS_SEED', 1);
  const runs = environment['CHAOS_SEED'] === undefined ? number('CHAOS_SEEDS', usual.seeds) : 1;
  return {
    seeds: Array.from({ length: runs }, (_, index) => first + index),
    alarms: number('CHAOS_ALARMS', usual.alarms),
    seconds: number('CHAOS_SECONDS', usual.seconds),
    outageSeconds: usual.outageSeconds,
  };
}
