/** One thing that a nightly run does: a command of npm in an environment of its own. */
export type NightlyStep = {
  name: string;
  /** Arguments of `npm run --silent`. */
  args: readonly string[];
  environment: Record<string, string>;
  /** What takes its place when the nightly run itself is tried out: small, and unjudged. */
  small: { args?: readonly string[]; environment?: Record<string, string> };
};

const unjudged = { TIMES_UNJUDGED: '1' };

/** All that is too long for every change: full sizes, judged times, cases nobody has seen before. */
export function nightlySteps(benchmarks: readonly string[], seed: number): NightlyStep[] {
  return [
    {
      name: `properties, PROPERTY_SEED=${seed}`,
      args: ['test'],
      environment: { PROPERTY_SEED: String(seed) },
      small: { args: ['test', '--', 'domain/src/roster'] },
    },
    {
      name: 'storm, 2,000 cases',
      args: ['test', '--', 'storm.property', '--testTimeout=3600000'],
      environment: { STORM_CASES: '2000' },
      small: { environment: { STORM_CASES: '5' } },
    },
    {
      name: 'hub-node-loss, full',
      args: ['acceptance', '--', 'hub-node-loss'],
      environment: {},
      small: {
        environment: { ...unjudged, HUB_CLIENTS: '100', HUB_TENANTS: '3', HUB_ALARMS_PER_SECOND: '20' },
      },
    },
    {
      name: 'dispatch-chaos, full',
      args: ['acceptance', '--', 'dispatch-chaos'],
      environment: { CHAOS: 'full' },
      small: { environment: { ...unjudged, CHAOS: '', CHAOS_SEED: '1', CHAOS_ALARMS: '20' } },
    },
    ...benchmarks.map((name) => ({
      name: `bench ${name}`,
      args: ['bench', '--', name, '--check', '--json'],
      environment: {},
      small: { args: ['bench', '--', name, '--smoke', '--json'] },
    })),
  ];
}

export function smallStep({ small, ...step }: NightlyStep): NightlyStep {
  const environment = { ...step.environment, ...small.environment };
  return { ...step, small, args: small.args ?? step.args, environment };
}
