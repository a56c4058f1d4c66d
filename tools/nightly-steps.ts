import type { NeededProgram } from './needed-programs.ts';

/** One step of the nightly run: an npm command with its environment. */
export type NightlyStep = {
  name: string;
  /** Arguments of `npm run --silent`. */
  args: readonly string[];
  environment: Record<string, string>;
  /** Without them the step is left out. */
  needs?: readonly NeededProgram[];
  /** Changes for `--small`, which tries out the nightly run itself. */
  small: { args?: readonly string[]; environment?: Record<string, string> };
};

const unjudged = { TIMES_UNJUDGED: '1' };

const chaosSteps: readonly NightlyStep[] = [
  {
    name: 'dispatch-chaos, full',
    args: ['acceptance', '--', 'dispatch-chaos'],
    environment: { CHAOS: 'full' },
    small: { environment: { ...unjudged, CHAOS: '', CHAOS_SEED: '1', CHAOS_ALARMS: '20' } },
  },
  {
    name: 'dispatch-chaos, 21 seeds',
    args: ['acceptance', '--', 'scenarios/dispatch-chaos.test'],
    environment: { CHAOS_SEEDS: '21' },
    small: { environment: { ...unjudged, CHAOS_SEEDS: '1', CHAOS_ALARMS: '20' } },
  },
];

/** Scenarios of which each change runs a part. */
const scenarioSteps: readonly NightlyStep[] = [
  {
    name: 'samples in all languages',
    args: ['acceptance', '--', 'scenarios/samples'],
    environment: { SAMPLES: 'curl,python,java,csharp' },
    needs: ['/usr/bin/java', '/usr/bin/mcs', '/usr/bin/mono'],
    small: { environment: { SAMPLES: 'curl' } },
  },
  {
    name: 'console, both themes with pictures',
    args: ['acceptance', '--', 'scenarios/console', 'scenarios/help-site'],
    environment: { ...unjudged, HELP_PAGES: 'all' },
    small: { args: ['acceptance', '--', 'scenarios/console.test'] },
  },
  {
    name: 'conformance, at both addresses',
    args: ['acceptance', '--', 'scenarios/conformance'],
    environment: unjudged,
    small: { args: ['acceptance', '--', 'conformance/description'] },
  },
  {
    name: 'long scenarios that have no step of their own',
    args: [
      'acceptance',
      '--',
      ...['readme', 'demo', 'hub-under-attack', 'hub-slow-consumer', 'journal-under-kill'].map(
        (name) => `scenarios/${name}.test`,
      ),
    ],
    environment: {},
    small: { args: ['acceptance', '--', 'scenarios/journal-under-kill'], environment: unjudged },
  },
];

/** Faults of the database that take minutes. The small form is the whole one, because a cluster has no smaller size. */
const databaseSteps: readonly NightlyStep[] = [
  {
    name: 'failover with Patroni',
    args: ['acceptance', '--', 'scenarios/failover'],
    environment: {},
    needs: ['/usr/bin/etcd', '/usr/bin/patroni', '/usr/sbin/haproxy'],
    small: { environment: unjudged },
  },
  {
    name: 'upgrade from the previous release',
    args: ['acceptance', '--', 'scenarios/upgrade'],
    environment: {},
    small: { environment: unjudged },
  },
  {
    name: 'restore drill with pgBackRest',
    args: ['acceptance', '--', 'scenarios/restore-drill'],
    environment: {},
    needs: ['/usr/bin/pgbackrest'],
    small: { environment: unjudged },
  },
];

/** Everything too long for each change: full sizes, checked durations, new random cases. */
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
      name: 'audit trail, 1,000 cases',
      args: ['test', '--', 'verify-trail.property', '--testTimeout=600000'],
      environment: { TRAIL_CASES: '1000' },
      small: { environment: { TRAIL_CASES: '20' } },
    },
    {
      name: 'forgotten places of new members',
      args: ['forgotten-places'],
      environment: {},
      small: { args: ['forgotten-places', '--', '--list'] },
    },
    ...scenarioSteps,
    {
      name: 'hub-node-loss, full',
      args: ['acceptance', '--', 'hub-node-loss'],
      environment: {},
      small: {
        environment: { ...unjudged, HUB_CLIENTS: '100', HUB_TENANTS: '3', HUB_ALARMS_PER_SECOND: '20' },
      },
    },
    ...chaosSteps,
    ...databaseSteps,
    // The small form installs the npm packages only: the others need root and many Debian packages.
    {
      name: 'packaging',
      args: ['packaging'],
      environment: {},
      small: { args: ['packaging', '--', 'npm'] },
    },
    ...benchmarks.map(benchmarkStep),
  ];
}

const benchmarkStep = (name: string): NightlyStep => ({
  name: `bench ${name}`,
  args: ['bench', '--', name, '--check', '--json'],
  environment: {},
  small: { args: ['bench', '--', name, '--smoke', '--json'] },
});

export function smallStep({ small, ...step }: NightlyStep): NightlyStep {
  const environment = { ...step.environment, ...small.environment };
  return { ...step, small, args: small.args ?? step.args, environment };
}
