import { parseArgs } from 'node:util';
import { createLog } from '../common/log.ts';
import { type Config, type ReadSettings, readSettings } from '../settings/config.ts';
import { natsAccessOf } from '../settings/nats-settings.ts';
import type { Environment } from '../settings/setting.ts';
import { checkDatabase } from './check-database.ts';
import { checkDisk } from './check-disk.ts';
import { checkFiles } from './check-files.ts';
import { checkNats } from './check-nats.ts';
import { checkPorts } from './check-ports.ts';
import { checkCommands } from './check-programs.ts';
import { checkMigrationLogin } from './check-schema.ts';
import { checkSettings } from './check-settings.ts';
import { checkSystem } from './check-system.ts';
import { checkTls } from './check-tls.ts';
import { type Finding, reasonOf } from './finding.ts';
import { exitCodeOf, exitCodes, inOrder, jsonReport, textReport } from './report.ts';
import { runChecks } from './run-checks.ts';

export type Installation = { readonly environment: Environment; readonly now: () => Date };

const usage = 'check [--json] [--strict]';
const localMs = 5_000;

const options = { json: { type: 'boolean' }, strict: { type: 'boolean' } } as const;

/** The command `check`: examines the installation, changes nothing, and ends within 15 seconds. */
export async function check(
  args: string[],
  installation: Installation,
): Promise<{ output: string; exitCode: number }> {
  const read = readArguments(args);
  if ('fault' in read) return { output: `${read.fault}\nUse ${usage}\n`, exitCode: exitCodes.usage };
  const { json = false, strict = false } = read;
  const findings = await examine(installation);
  const output = json ? jsonReport(findings) : textReport(findings);
  return { output, exitCode: exitCodeOf(findings, { strict }) };
}

function readArguments(args: string[]): { json?: boolean; strict?: boolean } | { fault: string } {
  try {
    return parseArgs({ args, options }).values;
  } catch (thrown) {
    return { fault: reasonOf(thrown) };
  }
}

/** All findings about the installation, in the order of their groups. */
export async function examine({ environment, now }: Installation): Promise<Finding[]> {
  const log = createLog('silent');
  const { settings, faults } = readSettings(environment);
  const [local, database] = await Promise.all([
    runChecks(
      [
        { name: 'settings', run: () => checkSettings(settings, faults) },
        { name: 'files', run: () => checkFiles(settings, environment) },
        { name: 'disk', run: () => checkDisk(settings) },
        { name: 'system', run: () => checkSystem(settings, process.versions.node) },
        { name: 'programs', run: () => checkCommands(settings, log) },
        { name: 'network', run: () => checkPorts(settings) },
        { name: 'tls', run: () => checkTls(settings, now()) },
        { name: 'schema', run: () => checkMigrationLogin(settings.migrateDatabaseUrl) },
        { name: 'nats', run: () => checkNats(natsAccessOf(settings)) },
      ],
      localMs,
    ),
    hasDatabase(settings) ? checkDatabase(settings, log, now) : [],
  ]);
  return inOrder([...local, ...database]);
}

/** Without a valid `DATABASE_URL`, which is a fault of the settings, the rest is still examined. */
function hasDatabase(settings: ReadSettings): settings is Config {
  return settings.databaseUrl !== undefined;
}
