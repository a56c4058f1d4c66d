import type { Server } from '../../../acceptance/harness/server.ts';
import type { BenchContext } from '../benchmark.ts';
import { oneAlarmScript } from '../sql/alarm-scripts.ts';
import type { Cell, CellSize } from './open-cell.ts';
import { runStorm, type Storm, type StormOutcome } from './storm.ts';
import { zipfExponent } from './zipf.ts';

export type RunSize = CellSize & {
  rate: number;
  seconds: number;
  clients: number;
  rounds: number;
  roundSeconds: number;
  idleSeconds: number;
  retentionSeconds: number;
  /** Before and after a server is killed. */
  killSeconds: { before: number; after: number };
};

/** A cell that is being measured. */
export type CellRun = {
  readonly context: BenchContext;
  readonly cell: Cell;
  readonly size: RunSize;
  nodes: Server[];
  readonly storms: StormOutcome[];
};

/** A rate for the storms, and whether a try has held it. */
export type HeldRate = { readonly rate: number; readonly isHeld: boolean };

/** How long the slowest hundredth of the alarms may take. */
export const limitMs = 250;
export const callShare = 0.01;
/** Calls that are due at the end of the storm are made by then. */
export const lastCallsMs = 6_000;
const numbersPerStorm = 10_000_000;
/** Each client of pgbench has a connection of its own. */
export const maxBareClients = 100;

export const bareScript = ({ tenants, knownTags }: RunSize): string =>
  oneAlarmScript({ knownTags, knownPercent: 70, tenants, zipf: zipfExponent });

/** Sends a storm to the servers of the cell. */
export async function raiseStorm(
  { cell, size, nodes, storms }: CellRun,
  wanted: Pick<Storm, 'seconds'> & Partial<Storm>,
): Promise<StormOutcome> {
  const outcome = await runStorm({
    ports: nodes.map(({ baseUrl }) => Number(new URL(baseUrl).port)),
    route: 'by-tenant',
    tokens: [...cell.tokens],
    clients: size.clients,
    knownTags: size.knownTags,
    callShare: 0,
    callGroups: size.people,
    firstNumber: numbersPerStorm * (storms.length + 10),
    ...wanted,
  });
  storms.push(outcome);
  return outcome;
}
