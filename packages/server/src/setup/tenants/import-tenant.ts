import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { auditStatement } from '../../audit/audit.store.ts';
import { importAction, systemOrigin } from '../../audit/audit-entry.ts';
import type { SecretBox } from '../../common/secret-box.ts';
import type { Config } from '../../settings/config.ts';
import { CannotStart } from '../cannot-start.ts';
import { openRuntime } from '../open-runtime.ts';
import { openSecretBox } from '../open-secret-box.ts';
import type { Header } from './export-format.ts';
import { importRows } from './import-rows.ts';
import {
  asOwner,
  enterTenantAsOwner,
  inTransaction,
  listTenants,
  type OwnerClient,
} from './owner-connection.store.ts';
import { passphraseBox, readPassphrase } from './passphrase-box.ts';
import { type ExportFile, openExport } from './read-export-file.ts';
import { readLastMigration } from './tenant-catalog.store.ts';
import { claimTenantNumber, readTime, renameTenant } from './tenant-number.store.ts';
import { advanceSequences } from './tenant-rows.store.ts';

const usage = 'tenant-import FILE [--name NAME] [--keep-number] [--passphrase-file FILE]';

const options = {
  name: { type: 'string' },
  'keep-number': { type: 'boolean', default: false },
  'passphrase-file': { type: 'string' },
} as const;

export type ImportResult = { tenantId: number; rows: number; hasSecrets: boolean };

type Request = {
  file: string;
  name: string | undefined;
  keepNumber: boolean;
  passphrase: string | undefined;
};

/** The command `tenant-import`: restores a tenant from a file, all of it or nothing. */
export async function importTenant(config: Config, log: Logger, args: string[]): Promise<ImportResult> {
  const request = readArguments(args);
  const open = await openRuntime(config, log);
  try {
    const { box } = await openSecretBox(config, open);
    const file = await openExport(request.file);
    return await asOwner(config, async (client) => {
      await checkRelease(client, file.header);
      await refuseTakenName(client, request.name ?? file.header.tenant.name);
      return inTransaction(client, () => importInto(client, file, { ...request, box }));
    });
  } finally {
    await open.database.close();
  }
}

function readArguments(args: string[]): Request {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new CannotStart([`Name one file: ${usage}`]);
  const { name, 'keep-number': keepNumber, 'passphrase-file': passphraseFile } = values;
  const passphrase = passphraseFile === undefined ? undefined : readPassphrase(passphraseFile);
  return { file, name, keepNumber, passphrase };
}

async function importInto(
  client: OwnerClient,
  { header, lines }: ExportFile,
  { name, keepNumber, passphrase, box }: Request & { box: SecretBox },
): Promise<ImportResult> {
  const { number: formerTenantId } = header.tenant;
  const tenantId = await claimTenantNumber(client, keepNumber ? formerTenantId : undefined);
  if (tenantId === undefined)
    throw new CannotStart([
      `The number ${formerTenantId} is or was that of another tenant here: leave out --keep-number.`,
    ]);
  await enterTenantAsOwner(client, tenantId);
  const secrets = openedBy(header, passphrase);
  const rows = await importRows(client, lines, { tenantId, formerTenantId, secrets, box });
  if (name !== undefined) await renameTenant(client, tenantId, name);
  await advanceSequences(client, tenantId);
  await recordImport(client, tenantId, header);
  return { tenantId, rows, hasSecrets: secrets !== undefined };
}

async function checkRelease(client: OwnerClient, { migration }: Header): Promise<void> {
  const ours = await readLastMigration(client);
  if (ours === migration) return;
  throw new CannotStart([
    `The export is of another release: its newest migration is ${migration}, that of this database is ${ours}.`,
    'Migrate both installations to the same release, export again, and import that.',
  ]);
}

function openedBy({ secrets }: Header, passphrase: string | undefined): SecretBox | undefined {
  if (passphrase === undefined) return undefined;
  if (secrets === null)
    throw new CannotStart(['The export contains no secrets: leave out --passphrase-file.']);
  return passphraseBox(passphrase, secrets);
}

/** The entry also tells the verifier of the trail which number the entries before it have. */
async function recordImport(
  client: OwnerClient,
  tenantId: number,
  { tenant, exportedAt }: Header,
): Promise<void> {
  const object = { kind: 'tenant', id: String(tenantId) };
  const act = { action: importAction, object, after: { exportedAt, formerTenantId: tenant.number } };
  await client.query(auditStatement(tenantId, [{ ...systemOrigin, ...act }], await readTime(client)));
}

/** People log in as `user@tenant`, so two tenants of one name would shut each other out. */
async function refuseTakenName(client: OwnerClient, name: string): Promise<void> {
  const tenants = await listTenants(client);
  if (tenants.some((tenant) => tenant.name.toLowerCase() === name.toLowerCase()))
    throw new CannotStart([`There is a tenant named ${name} already: give another name with --name.`]);
}
