import { cpuSeconds, postgresCpuSeconds, postmasterOf } from '../cpu-time.ts';
import type { Figure } from '../figure.ts';
import type { CellRun } from './cell-run.ts';

type ProcessorTimes = { servers: number; postgres: number };

/** Seconds of CPU that the servers and PostgreSQL have taken so far. */
export async function processorTimes({ cell, nodes }: CellRun): Promise<ProcessorTimes> {
  const servers = await Promise.all(nodes.map(({ pid }) => cpuSeconds(pid)));
  const postgres = await postgresCpuSeconds(await postmasterOf(cell.databaseUrl));
  return { servers: servers.reduce((sum, one) => sum + one, 0), postgres };
}

/** The CPU of an alarm. At a lower rate fewer alarms share a transaction, so that each costs more. */
export function costFigures(
  { alarms, servers, postgres }: ProcessorTimes & { alarms: number },
  when: string,
): Figure[] {
  const figureOf = (name: string, seconds: number): Figure => ({
    name: `CPU of ${name} ${when}`,
    value: (seconds * 1_000) / Math.max(1, alarms),
    unit: 'ms an alarm',
  });
  return [figureOf('two servers', servers), figureOf('PostgreSQL', postgres)];
}
