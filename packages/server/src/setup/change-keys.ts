import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { appendAudit } from '../audit/audit.store.ts';
import { systemOrigin } from '../audit/audit-entry.ts';
import { resealAuditKeys, rotateAuditKey } from '../audit/audit-keys.ts';
import { resealChannels } from '../channels/reseal-channels.ts';
import type { SecretBox } from '../common/secret-box.ts';
import { resealTotp } from '../identity/second-factors/totp.store.ts';
import { dropInstallationSecrets, resealInstallation } from '../identity/tokens/installation-secrets.ts';
import { rotateSigningKeys } from '../identity/tokens/signing-keys.ts';
import { resealDirectory } from '../outside/directory/reseal-directory.ts';
import { resealIssuers } from '../outside/issuers/reseal-issuers.ts';
import { listTenantIds } from '../people/tenant.store.ts';
import { enterTenant, outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Config } from '../settings/config.ts';
import { openRuntime } from './open-runtime.ts';
import { openBoxAnyway, openSecretBox } from './open-secret-box.ts';

const rotateOptions = {
  now: { type: 'boolean', default: false },
  audit: { type: 'boolean', default: false },
} as const;

/**
 * The command `rotate-keys`: signs access tokens with a new key from now on, and with `--audit` the heads of the audit
 * trail too. With `--now` all keys and secrets are replaced, and the former ones end at once.
 */
export async function rotateKeys(config: Config, log: Logger, args: string[]): Promise<void> {
  const { now: atOnce, audit } = parseArgs({ args, options: rotateOptions }).values;
  const open = await openRuntime(config, log);
  try {
    const { database, box } = atOnce ? openBoxAnyway(config, open) : await openSecretBox(config, open);
    const rotated = await outsideTenants(database, async (outside) => {
      const tenantIds = await listTenantIds(outside);
      const created = await rotateAll(outside, box, { atOnce, audit: audit || atOnce });
      for (const tenantId of tenantIds)
        await recordChange(outside, tenantId, { verb: 'rotate', after: created });
      return created;
    });
    log.info(rotated, 'keys rotated');
  } finally {
    await open.database.close();
  }
}

/** Returns the ids of the new keys, which are not secret. */
async function rotateAll(
  outside: TenantTransaction,
  box: SecretBox,
  { atOnce, audit }: { atOnce: boolean; audit: boolean },
) {
  if (atOnce) await dropInstallationSecrets(outside);
  const signingKey = await rotateSigningKeys(outside, box, { atOnce });
  const auditKey = audit ? await rotateAuditKey(outside, box) : undefined;
  return { atOnce, signingKey, auditKey, hubAndAnswers: atOnce };
}

/** The command `reseal`: encrypts all secrets with the first key of the file, and returns their number. */
export async function reseal(config: Config, log: Logger): Promise<number> {
  const open = await openRuntime(config, log);
  try {
    const { database, box } = await openSecretBox(config, open);
    return await outsideTenants(database, (outside) => resealAll(outside, box));
  } finally {
    await open.database.close();
  }
}

async function resealAll(outside: TenantTransaction, box: SecretBox): Promise<number> {
  const tenantIds = await listTenantIds(outside);
  const auditKeys = await resealAuditKeys(outside, box);
  const installation = await resealInstallation(outside, box);
  const counts = new Map<number, Record<'channels' | 'logIns' | 'authenticatorApps', number>>();
  for (const tenantId of tenantIds)
    counts.set(tenantId, await resealTenant(await enterTenant(outside, tenantId), box));
  // Last, because it locks the trails of all tenants.
  for (const [tenantId, count] of counts)
    await recordChange(outside, tenantId, { verb: 'reseal', after: { auditKeys, installation, ...count } });
  const ofTenants = [...counts.values()].flatMap((count) => Object.values(count));
  return ofTenants.reduce((sum, count) => sum + count, auditKeys + installation);
}

/** The secrets of channels, of issuers and directories, and of authenticator apps. */
async function resealTenant(transaction: TenantTransaction, box: SecretBox) {
  const channels = await resealChannels(transaction, box);
  const issuers = await resealIssuers(transaction, box);
  const logIns = issuers + (await resealDirectory(transaction, box));
  return { channels, logIns, authenticatorApps: await resealTotp(transaction, box) };
}

/** Keys concern all tenants, so the change is recorded in each trail. */
async function recordChange(
  outside: TenantTransaction,
  tenantId: number,
  { verb, after }: { verb: string; after: object },
): Promise<void> {
  const act = { action: `keys.${verb}`, object: { kind: 'keys', id: '' }, after };
  await appendAudit(await enterTenant(outside, tenantId), [{ ...systemOrigin, ...act }], outside.now);
}
