import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import type { Logger } from 'pino';
import { appendAudit, auditEnd } from '../../audit/audit.store.ts';
import { systemOrigin } from '../../audit/audit-entry.ts';
import { signHead } from '../../audit/audit-head.ts';
import { openAuditKey, readPublicKeys } from '../../audit/audit-keys.ts';
import type { SecretBox } from '../../common/secret-box.ts';
import { listTenantIds, readTenantSettings } from '../../people/tenant.store.ts';
import type { Database } from '../../postgres/database.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import {
  inTenant,
  outsideTenants,
  readTenant,
  type TenantTransaction,
} from '../../postgres/tenant-transaction.ts';
import type { Config } from '../../settings/config.ts';
import { CannotStart } from '../cannot-start.ts';
import { openRuntime } from '../open-runtime.ts';
import { openSecretBox } from '../open-secret-box.ts';
import { createTally, type Header, tenantFormat } from './export-format.ts';
import { findTenant } from './find-tenant.ts';
import { leftOut, orderTables } from './order-tables.ts';
import { newSalt, passphraseBox, readPassphrase } from './passphrase-box.ts';
import { type Reseal, resealLine, withoutSecrets } from './reseal-line.ts';
import { readLastMigration, readTenantTables } from './tenant-catalog.store.ts';
import { readRows } from './tenant-rows.store.ts';

const usage = 'tenant-export NAME FILE [--passphrase-file FILE]';

export type ExportResult = { tenantId: number; rows: Record<string, number> };

type Tenant = { id: number; name: string };
type Secrets = { salt: Header['secrets']; seal: SecretBox | undefined };

/** The command `tenant-export`: writes all rows of a tenant to a file, while the servers run. */
export async function exportTenant(config: Config, log: Logger, args: string[]): Promise<ExportResult> {
  const { name, file, passphrase } = readArguments(args);
  const open = await openRuntime(config, log);
  try {
    const runtime = await openSecretBox(config, open);
    const tenant = findTenant(await listTenants(runtime.database), name);
    const salt = passphrase === undefined ? null : newSalt();
    const seal = salt && passphrase !== undefined ? passphraseBox(passphrase, salt) : undefined;
    await recordExport(runtime, tenant.id, seal !== undefined);
    return await writeExport(runtime, tenant, { file, secrets: { salt, seal } });
  } finally {
    await open.database.close();
  }
}

function readArguments(args: string[]) {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'passphrase-file': { type: 'string' } },
  });
  const [name, file, ...more] = positionals;
  if (name === undefined || file === undefined || more.length > 0)
    throw new CannotStart([`Name a tenant and a file: ${usage}`]);
  const passphraseFile = values['passphrase-file'];
  return {
    name,
    file,
    passphrase: passphraseFile === undefined ? undefined : readPassphrase(passphraseFile),
  };
}

async function listTenants(database: Database): Promise<Tenant[]> {
  const ids = await outsideTenants(database, listTenantIds);
  const tenants: Tenant[] = [];
  for (const id of ids) {
    const { name } = await readTenant(database, id, readTenantSettings);
    tenants.push({ id, name });
  }
  return tenants;
}

/** Before the rows are read, so that the exported trail contains the export itself. */
async function recordExport({ database }: Runtime, tenantId: number, secrets: boolean): Promise<void> {
  const object = { kind: 'tenant', id: String(tenantId) };
  const act = { action: 'tenant.export', object, after: { secrets } };
  await inTenant(database, tenantId, (transaction) =>
    appendAudit(transaction, [{ ...systemOrigin, ...act }], transaction.now),
  );
}

async function writeExport(
  runtime: Runtime,
  tenant: Tenant,
  { file, secrets }: { file: string; secrets: Secrets },
): Promise<ExportResult> {
  const rows: Record<string, number> = {};
  // Refuses an existing file, which may be the only copy of another export.
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  await readTenant(runtime.database, tenant.id, (transaction) =>
    pipeline(
      Readable.from(exportLines(runtime, transaction, { tenant, secrets, rows })),
      createGzip(),
      target,
    ),
  );
  return { tenantId: tenant.id, rows };
}

async function* exportLines(
  runtime: Runtime,
  transaction: TenantTransaction,
  { tenant, secrets, rows }: { tenant: Tenant; secrets: Secrets; rows: Record<string, number> },
): AsyncGenerator<string> {
  const { client } = transaction;
  const tables = orderTables(await readTenantTables(client)).filter(({ name }) => !(name in leftOut));
  yield jsonLine(await headerOf(runtime, transaction, { tenant, salt: secrets.salt }));
  for (const table of tables) {
    const { name, columns } = table;
    const tally = createTally();
    const reseal: Reseal = { table: name, from: runtime.box, to: secrets.seal, tenantId: tenant.id };
    yield jsonLine({ table: name, columns });
    for await (const lines of readRows(client, table, tenant.id)) {
      for (const line of lines) tally.add(withoutSecrets(name, line));
      yield lines.map((line) => `${resealLine(reseal, line)}\n`).join('');
    }
    const total = tally.end();
    rows[name] = total.rows;
    yield jsonLine({ endOf: name, ...total });
  }
  yield jsonLine({ complete: true, tables: tables.length });
}

async function headerOf(
  { database, box }: Runtime,
  transaction: TenantTransaction,
  { tenant, salt }: { tenant: Tenant; salt: Header['secrets'] },
): Promise<Header> {
  const at = transaction.now.toISOString();
  const end = await auditEnd(transaction);
  return {
    format: tenantFormat,
    migration: await readLastMigration(transaction.client),
    exportedAt: at,
    tenant: { number: tenant.id, name: tenant.name },
    secrets: salt,
    audit: {
      head: end ? signHead({ ...end, at }, await openAuditKey(database, box)) : null,
      publicKeys: await readPublicKeys(database),
    },
  };
}

const jsonLine = (value: object) => `${JSON.stringify(value)}\n`;
