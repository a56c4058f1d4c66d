import { Counter, type Registry } from 'prom-client';

/** Counts the failed runs of upkeep jobs, by job; those that never failed are 0. */
export function countFailedJobs(
  registry: Registry,
  jobs: readonly { name: string }[],
): (job: string) => void {
  const counter = new Counter({
    name: 'tocsin_upkeep_failures_total',
    help: 'Runs of upkeep jobs of this server that failed, by job; each is logged as an error.',
    labelNames: ['job'],
    registers: [registry],
  });
  for (const { name } of jobs) counter.inc({ job: name }, 0);
  return (job) => counter.inc({ job });
}
