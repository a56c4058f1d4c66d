import { setFlagsFromString } from 'node:v8';
import { readPublicKeys } from './audit/audit-keys.ts';
import { createLog } from './common/log.ts';
import { ProblemError } from './common/problem.ts';
import { type RunningServer, serve } from './serve.ts';
import { readConfig } from './settings/config.ts';
import { ConfigError } from './settings/setting.ts';
import { addTenant } from './setup/add-tenant.ts';
import { reseal, rotateKeys } from './setup/change-keys.ts';
import { CannotStart, migrateDatabase, openRuntime } from './setup/open-runtime.ts';
import { resetSecondFactors } from './setup/reset-second-factors.ts';
import { setUpInvitation } from './setup/set-up-invitation.ts';
import { deleteTenant } from './setup/tenants/delete-tenant.ts';
import { exportTenant } from './setup/tenants/export-tenant.ts';
import { importTenant } from './setup/tenants/import-tenant.ts';
import { reportDeletion, reportExport, reportImport } from './setup/tenants/reports.ts';
import { verifyAudit } from './setup/verify-audit.ts';

const help = `Commands:

  serve           start the server (the default)
  migrate         migrate the database to this release
  create-tenant NAME --admin USER --password-file FILE [--station NAME] [--time-zone ZONE]
                  add a customer with an administrator, and print its number
  tenant-export NAME FILE [--passphrase-file FILE]
                  write all data of a tenant to a file, with its secrets if there is a passphrase to seal them with
  tenant-import FILE [--name NAME] [--keep-number] [--passphrase-file FILE]
                  restore a tenant from such a file, as the owner of the database
  tenant-delete NAME --confirm NAME [--last]
                  delete all data of a tenant, as the owner of the database
  rotate-keys [--audit] [--now]
                  sign access tokens with a new key, with --audit the audit trail too; --now ends the former keys at once,
                  and all other secrets
  reseal          seal all secrets with the first key of SECRETS_KEY_FILE, and print how many
  reset-second-factors USER
                  remove all second factors of a user who has lost them, and end their sessions
  audit verify EXPORT --public-key FILE [--heads FILE ...]
                  check an export of the audit trail against a key and published heads
  audit public-key
                  print the public keys that sign the audit trail
  help            print this

Settings are environment variables: docs/operations.md lists them.
`;

/** A stop that takes longer than this counts as hung. */
const maxStopMs = 20_000;

/** The only place that reads the environment. */
function start() {
  const config = readConfig(process.env);
  return { config, log: createLog(config.logLevel) };
}

const commands: Record<string, (args: string[]) => Promise<void>> = {
  serve: runServer,
  migrate: async () => {
    const { config, log } = start();
    await migrateDatabase(config, log);
  },
  'create-tenant': async (args) => {
    const { config, log } = start();
    process.stdout.write(`${await addTenant(config, log, args)}\n`);
  },
  'tenant-export': async (args) => {
    const { config, log } = start();
    process.stdout.write(`${reportExport(await exportTenant(config, log, args))}\n`);
  },
  'tenant-import': async (args) => {
    const { config, log } = start();
    process.stdout.write(`${reportImport(await importTenant(config, log, args))}\n`);
  },
  'tenant-delete': async (args) => {
    const { config, log } = start();
    process.stdout.write(`${reportDeletion(await deleteTenant(config, log, args))}\n`);
  },
  'rotate-keys': async (args) => {
    const { config, log } = start();
    await rotateKeys(config, log, args);
  },
  reseal: async () => {
    const { config, log } = start();
    process.stdout.write(`${await reseal(config, log)}\n`);
  },
  'reset-second-factors': async (args) => {
    const { config, log } = start();
    await resetSecondFactors(config, log, args);
  },
  audit: async ([subcommand, ...args]) => {
    if (subcommand === 'verify') process.stdout.write(`${verifyAudit(args)}\n`);
    else if (subcommand === 'public-key') process.stdout.write(await auditPublicKey());
    else throw new CannotStart(['Use audit verify or audit public-key.', help]);
  },
  help: async () => {
    process.stdout.write(help);
  },
};

async function auditPublicKey(): Promise<string> {
  const { config, log } = start();
  const { database } = await openRuntime(config, log);
  try {
    return await readPublicKeys(database);
  } finally {
    await database.close();
  }
}

async function runServer(): Promise<void> {
  // Set before any code is optimized. Decision 0023: garbage of a request must be collected young.
  setFlagsFromString('--no-allocation-site-pretenuring');
  const { config, log } = start();
  // Unhandled rejections arrive here too.
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'server failed');
    process.exit(1);
  });
  const server = await serve(config, log);
  if (server.setUpCode !== undefined) process.stderr.write(setUpInvitation(server.url, server.setUpCode));
  stopOnSignals(server);
}

/** The first signal lets requests finish; a second signal, or a hung stop, ends the process at once. */
function stopOnSignals(server: RunningServer): void {
  let isStopping = false;
  const onSignal = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    setTimeout(() => process.exit(1), maxStopMs);
    void server.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** Errors that the operator can correct are printed without a stack. */
function explain(error: unknown): unknown {
  const isOperatorError =
    error instanceof ConfigError || error instanceof CannotStart || error instanceof ProblemError;
  const isSystemError =
    error instanceof Error && 'code' in error && /^(E[A-Z]+|ERR_PARSE_ARGS_.*)$/.test(String(error.code));
  return isOperatorError || isSystemError ? error.message : error;
}

const [name = 'serve', ...args] = process.argv.slice(2);
try {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new CannotStart([`There is no command ${name}.`, help]);
  await command(args);
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
