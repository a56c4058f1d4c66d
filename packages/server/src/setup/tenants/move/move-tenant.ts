import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import type { Config } from '../../../settings/config.ts';
import { CannotStart } from '../../cannot-start.ts';
import { openRuntime } from '../../open-runtime.ts';
import { findTenant } from '../find-tenant.ts';
import { asOwner, listTenants } from '../owner-connection.store.ts';
import { advanceSequences } from '../tenant-rows.store.ts';
import { checkCells } from './check-cells.ts';
import { copyTenant } from './copy-tenant.ts';
import { deleteCopy } from './delete-copy.store.ts';
import { endPublication } from './end-publication.ts';
import { hasOlderTransactions, readMovedState, serveTenant, stopTenant } from './fence.store.ts';
import type { Move } from './move.ts';
import { readMovedTables } from './moved-tables.ts';
import { bytesBehind, readLogEnd, readPosition } from './source-cell.store.ts';
import { switchEdge } from './switch-edge.ts';
import { unsubscribe } from './target-cell.store.ts';

const usage = 'tenant-move NAME --to-file FILE [--from-file FILE] [--on-switch PROGRAM]';

const options = {
  'to-file': { type: 'string' },
  'from-file': { type: 'string' },
  'on-switch': { type: 'string' },
} as const;

export type MoveResult = { tenantId: number; pauseMs: number; seq: number };

/** How long the tenant may be stopped before the move is given up. */
const longestPauseMs = 10_000;
const pollMs = 10;

/** The command `tenant-move`: moves a tenant to the database of another cell while it raises alarms. */
export async function moveTenant(config: Config, log: Logger, args: string[]): Promise<MoveResult> {
  const { name, targetUrl, sourceUrl, program } = readArguments(config, args);
  await (await openRuntime(config, log)).database.close();
  const targetConfig = { ...config, databaseUrl: targetUrl, migrateDatabaseUrl: targetUrl };
  return asOwner(config, (source) =>
    asOwner(targetConfig, async (target) => {
      const tenant = findTenant(await listTenants(source), name);
      const move: Move = { tenant, source, target, sourceUrl, log };
      await checkCells(move);
      try {
        await copyTenant(move);
        return await switchTenant(move, program);
      } catch (error) {
        await giveUp(move);
        throw error;
      }
    }),
  );
}

function readArguments(config: Config, args: string[]) {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  const [name, ...more] = positionals;
  const file = values['to-file'];
  if (name === undefined || more.length > 0 || file === undefined)
    throw new CannotStart([
      `Name one tenant, and a file with the connection string of the other cell's database: ${usage}`,
    ]);
  const fromFile = values['from-file'];
  const { databaseUrl, migrateDatabaseUrl = databaseUrl } = config;
  const sourceUrl = fromFile === undefined ? migrateDatabaseUrl : readFileSync(fromFile, 'utf8').trim();
  return { name, targetUrl: readFileSync(file, 'utf8').trim(), sourceUrl, program: values['on-switch'] };
}

/** Stops the tenant here, waits until the other cell has every row, and lets it serve the tenant. */
async function switchTenant(move: Move, program: string | undefined): Promise<MoveResult> {
  const { tenant, source, target, log } = move;
  const pausedAt = performance.now();
  const stoppedAt = await stopTenant(source, tenant.id);
  const hasTime = () => performance.now() - pausedAt < longestPauseMs;
  await until(async () => !(await hasOlderTransactions(source, stoppedAt)), hasTime, longTransaction);
  const end = await readLogEnd(source);
  await until(async () => (await bytesBehind(source, tenant.id, end)) === 0, hasTime, slowFollower);
  const { seq } = await compareCells(move);
  await unsubscribe(target, tenant.id);
  await advanceSequences(target, tenant.id);
  await serveTenant(target, tenant.id);
  try {
    if (program !== undefined) await switchEdge(program, tenant);
    const pauseMs = Math.round(performance.now() - pausedAt);
    log.info({ tenantId: tenant.id, pauseMs, seq }, 'the other cell serves the tenant');
    return { tenantId: tenant.id, pauseMs, seq };
  } finally {
    await endPublication(move);
  }
}

const longTransaction =
  'A transaction that began before, such as a backup or a long report, did not end. Try again after it.';
const slowFollower = 'The other cell did not follow. Try again when there is less load.';

async function until(isDone: () => Promise<boolean>, hasTime: () => boolean, reason: string): Promise<void> {
  while (!(await isDone())) {
    if (!hasTime())
      throw new CannotStart([
        `${reason} The tenant was stopped for ${longestPauseMs / 1000} s and stays here.`,
      ]);
    await sleep(pollMs);
  }
}

async function compareCells({ tenant, source, target }: Move): Promise<{ seq: number }> {
  const [here, there] = [await readPosition(source, tenant.id), await readPosition(target, tenant.id)];
  if (JSON.stringify(here) !== JSON.stringify(there))
    throw new CannotStart([
      `The cells differ: ${JSON.stringify(here)} here and ${JSON.stringify(there)} there. The tenant stays here.`,
    ]);
  return here;
}

/**
 * The tenant stays: it is served here again at once, and rows that were copied are deleted. Does nothing once the other cell
 * serves the tenant, or if it cannot be asked.
 */
async function giveUp(move: Move): Promise<void> {
  const { tenant, source, target, log } = move;
  if ((await readMovedState(target, tenant.id)) !== 'arriving') return;
  await serveTenant(source, tenant.id);
  await unsubscribe(target, tenant.id);
  await endPublication(move);
  await deleteCopy(target, await readMovedTables(source), tenant.id);
  await serveTenant(target, tenant.id);
  log.warn({ tenantId: tenant.id }, 'the move was given up; the tenant stays');
}

export function reportMove({ tenantId, pauseMs, seq }: MoveResult): string {
  return `Tenant ${tenantId}: moved up to number ${seq} of its journal, stopped for ${pauseMs} ms.\nIts rows remain here and are not served.`;
}
