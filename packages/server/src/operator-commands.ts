import { CannotStart } from './setup/cannot-start.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** One way to use a command. */
export type OperatorForm = { readonly usage: string; readonly purpose: string };

/**
 * A command for the machine of the server: it needs the settings, and most need the database. Its modules are loaded when
 * it runs, so that the help does not wait for the whole server.
 */
export type OperatorCommand = {
  readonly forms: readonly OperatorForm[];
  /** Arguments after the name of the command. */
  readonly examples?: readonly string[];
  run(args: string[], environment: Environment, now: () => Date): Promise<void>;
};

async function start(environment: Environment) {
  const [{ readConfig }, { createLog }] = await Promise.all([
    import('./settings/config.ts'),
    import('./common/log.ts'),
  ]);
  const config = readConfig(environment);
  return { config, log: createLog(config.logLevel) };
}

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** The commands by name, in the order of the help. */
export const operatorCommands: Readonly<Record<string, OperatorCommand>> = {
  serve: {
    forms: [{ usage: 'serve', purpose: 'start the server (the default)' }],
    examples: ['serve', 'serve >> /var/log/tocsin.log'],
    run: async (_args, environment) => {
      const { runServer } = await import('./run-server.ts');
      await runServer(await start(environment));
    },
  },
  migrate: {
    forms: [{ usage: 'migrate', purpose: 'migrate the database to this release' }],
    examples: ['migrate', 'migrate && systemctl restart tocsin'],
    run: async (_args, environment) => {
      const { migrateDatabase } = await import('./setup/open-runtime.ts');
      const { config, log } = await start(environment);
      await migrateDatabase(config, log);
    },
  },
  check: {
    forms: [
      {
        usage: 'check [--json] [--strict]',
        purpose:
          'examine this installation, and say what is wrong and what to do; --strict fails on warnings too',
      },
    ],
    examples: ['check', 'check --json --strict'],
    run: async (args, environment, now) => {
      const { check } = await import('./check/check.ts');
      const { exitCodes } = await import('./check/report.ts');
      const { output, exitCode } = await check(args, { environment, now });
      (exitCode === exitCodes.usage ? process.stderr : process.stdout).write(output);
      // Something that hangs, which has been reported, must not keep the process.
      process.exit(exitCode);
    },
  },
  backup: {
    forms: [
      {
        usage: 'backup FILE',
        purpose: 'write the whole database to a file while the servers run, without the secrets key',
      },
    ],
    examples: ['backup /var/backups/tocsin.dump', 'backup "/var/backups/tocsin-$(date +%F).dump"'],
    run: async (args, environment) => {
      const { backUp, reportBackup } = await import('./setup/backup/backup.ts');
      const { config } = await start(environment);
      print(reportBackup(await backUp(config, args, environment)));
    },
  },
  restore: {
    forms: [
      {
        usage: 'restore FILE [--replace]',
        purpose:
          'fill an empty database from such a file, as its owner, and verify it; --replace drops what a database has now',
      },
    ],
    examples: ['restore /var/backups/tocsin.dump', 'restore /var/backups/tocsin.dump --replace'],
    run: async (args, environment) => {
      const { reportRestore, restore } = await import('./setup/backup/restore.ts');
      const { config, log } = await start(environment);
      print(reportRestore(await restore(config, log, args, environment)));
    },
  },
  'create-tenant': {
    forms: [
      {
        usage:
          'create-tenant NAME --admin USER --password-file FILE [--station NAME] [--time-zone ZONE] [--number N]',
        purpose: 'add a customer with an administrator, and print its number',
      },
    ],
    examples: [
      'create-tenant Waterworks --admin anna --password-file anna.password',
      'create-tenant Waterworks --admin anna --password-file anna.password --station North --time-zone Europe/Paris',
    ],
    run: async (args, environment) => {
      const { addTenant } = await import('./setup/add-tenant.ts');
      const { config, log } = await start(environment);
      print(String(await addTenant(config, log, args)));
    },
  },
  'tenant-export': {
    forms: [
      {
        usage: 'tenant-export NAME FILE [--passphrase-file FILE]',
        purpose:
          'write all data of a tenant to a file, with its secrets if there is a passphrase to seal them with',
      },
    ],
    examples: [
      'tenant-export Waterworks waterworks.tenant',
      'tenant-export Waterworks waterworks.tenant --passphrase-file passphrase',
    ],
    run: async (args, environment) => {
      const { exportTenant } = await import('./setup/tenants/export-tenant.ts');
      const { reportExport } = await import('./setup/tenants/reports.ts');
      const { config, log } = await start(environment);
      print(reportExport(await exportTenant(config, log, args)));
    },
  },
  'tenant-import': {
    forms: [
      {
        usage: 'tenant-import FILE [--name NAME] [--keep-number] [--passphrase-file FILE]',
        purpose: 'restore a tenant from such a file, as the owner of the database',
      },
    ],
    examples: [
      'tenant-import waterworks.tenant --passphrase-file passphrase',
      'tenant-import waterworks.tenant --name "Waterworks copy"',
    ],
    run: async (args, environment) => {
      const { importTenant } = await import('./setup/tenants/import-tenant.ts');
      const { reportImport } = await import('./setup/tenants/reports.ts');
      const { config, log } = await start(environment);
      print(reportImport(await importTenant(config, log, args)));
    },
  },
  'tenant-move': {
    forms: [
      {
        usage: 'tenant-move NAME --to-file FILE [--from-file FILE] [--on-switch PROGRAM]',
        purpose:
          "move a tenant to another cell while it raises alarms; the files contain connection strings of the cells' databases",
      },
    ],
    examples: [
      'tenant-move Waterworks --to-file cell-2.url',
      'tenant-move Waterworks --to-file cell-2.url --on-switch ./lead-to-cell-2',
    ],
    run: async (args, environment) => {
      const { moveTenant, reportMove } = await import('./setup/tenants/move/move-tenant.ts');
      const { config, log } = await start(environment);
      print(reportMove(await moveTenant(config, log, args)));
    },
  },
  'share-secrets': {
    forms: [
      {
        usage: 'share-secrets --to-file FILE',
        purpose: 'give a new, empty cell the secrets of this one, so that tenants can move there',
      },
    ],
    examples: ['share-secrets --to-file cell-2.url'],
    run: async (args, environment) => {
      const { shareSecrets } = await import('./setup/tenants/move/share-secrets.ts');
      const { config, log } = await start(environment);
      print(
        `${await shareSecrets(config, log, args)} secrets shared. Restart the servers of the other cell.`,
      );
    },
  },
  'tenant-delete': {
    forms: [
      {
        usage: 'tenant-delete NAME --confirm NAME [--last]',
        purpose: 'delete all data of a tenant, as the owner of the database',
      },
    ],
    examples: [
      'tenant-delete Waterworks --confirm Waterworks',
      'tenant-delete Waterworks --confirm Waterworks --last',
    ],
    run: async (args, environment) => {
      const { deleteTenant } = await import('./setup/tenants/delete-tenant.ts');
      const { reportDeletion } = await import('./setup/tenants/reports.ts');
      const { config, log } = await start(environment);
      print(reportDeletion(await deleteTenant(config, log, args)));
    },
  },
  'rotate-keys': {
    forms: [
      {
        usage: 'rotate-keys [--audit] [--now]',
        purpose:
          'sign access tokens with a new key, with --audit the audit trail too; --now ends the former keys at once, and all other secrets',
      },
    ],
    examples: ['rotate-keys', 'rotate-keys --audit --now'],
    run: async (args, environment) => {
      const { rotateKeys } = await import('./setup/change-keys.ts');
      const { config, log } = await start(environment);
      await rotateKeys(config, log, args);
    },
  },
  reseal: {
    forms: [
      {
        usage: 'reseal',
        purpose: 'seal all secrets with the first key of SECRETS_KEY_FILE, and print how many',
      },
    ],
    examples: ['reseal'],
    run: async (_args, environment) => {
      const { reseal } = await import('./setup/change-keys.ts');
      const { config, log } = await start(environment);
      print(String(await reseal(config, log)));
    },
  },
  'reset-second-factors': {
    forms: [
      {
        usage: 'reset-second-factors USER',
        purpose: 'remove all second factors of a user who has lost them, and end their sessions',
      },
    ],
    examples: ['reset-second-factors anna', 'reset-second-factors anna@Waterworks'],
    run: async (args, environment) => {
      const { resetSecondFactors } = await import('./setup/reset-second-factors.ts');
      const { config, log } = await start(environment);
      await resetSecondFactors(config, log, args);
    },
  },
  audit: {
    forms: [
      {
        usage: 'audit verify EXPORT --public-key FILE [--heads FILE ...]',
        purpose: 'check an export of the audit trail against a key and published heads',
      },
      { usage: 'audit public-key', purpose: 'print the public keys that sign the audit trail' },
    ],
    examples: [
      'audit public-key > audit-key.pem',
      'audit verify trail.ndjson --public-key audit-key.pem --heads heads.log',
    ],
    run: async ([subcommand, ...args], environment) => {
      if (subcommand === 'verify') {
        const { verifyAudit } = await import('./setup/verify-audit.ts');
        print(verifyAudit(args));
      } else if (subcommand === 'public-key') process.stdout.write(await auditPublicKey(environment));
      else throw new CannotStart(['Use audit verify or audit public-key.', operatorHelp()]);
    },
  },
};

async function auditPublicKey(environment: Environment): Promise<string> {
  const [{ openRuntime }, { readPublicKeys }] = await Promise.all([
    import('./setup/open-runtime.ts'),
    import('./audit/audit-keys.ts'),
  ]);
  const { config, log } = await start(environment);
  const { database } = await openRuntime(config, log);
  try {
    return await readPublicKeys(database);
  } finally {
    await database.close();
  }
}

/** The list of the commands with their arguments. */
export function operatorHelp(): string {
  const forms = Object.values(operatorCommands).flatMap((command) => command.forms);
  const lines = [...forms, { usage: 'help', purpose: 'print this' }].map(({ usage, purpose }) =>
    usage.length < 15 ? `  ${usage.padEnd(16)}${purpose}` : `  ${usage}\n${' '.repeat(18)}${purpose}`,
  );
  return `Commands:\n\n${lines.join('\n')}\n\nSettings are environment variables: docs/configuration.md lists them.\n`;
}

/** Errors that the operator can correct are shown without a stack. */
async function explain(error: unknown): Promise<unknown> {
  const { ConfigError } = await import('./settings/setting.ts');
  const { ProblemError } = await import('./common/problem.ts');
  const isOperatorError =
    error instanceof ConfigError || error instanceof CannotStart || error instanceof ProblemError;
  const isSystemError =
    error instanceof Error && 'code' in error && /^(E[A-Z]+|ERR_PARSE_ARGS_.*)$/.test(String(error.code));
  return isOperatorError || isSystemError ? error.message : error;
}

/** Runs a command of the operator. An error is printed, and the process ends with 1. */
export async function runOperatorCommand(
  name: string,
  args: string[],
  { environment, now }: { environment: Environment; now: () => Date },
): Promise<void> {
  try {
    if (name === 'help') return void process.stdout.write(operatorHelp());
    const command = Object.hasOwn(operatorCommands, name) ? operatorCommands[name] : undefined;
    if (command === undefined) throw new CannotStart([`There is no command ${name}.`, operatorHelp()]);
    await command.run(args, environment, now);
  } catch (error) {
    console.error(await explain(error));
    process.exit(1);
  }
}
