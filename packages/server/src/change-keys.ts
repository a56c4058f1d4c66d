import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { appendAudit } from './audit/audit.store.ts';
import { systemOrigin } from './audit/audit-entry.ts';
import { resealAuditKeys, rotateAuditKey } from './audit/audit-keys.ts';
import { resealChannels } from './channels/reseal-channels.ts';
import type { Config } from './config.ts';
import { dropInstallationSecrets, resealInstallation } from './identity/installation-secrets.ts';
import { rotateSigningKeys } from './identity/signing-keys.ts';
import { openRuntime } from './open-runtime.ts';
import { openBoxAnyway, openSecretBox } from './open-secret-box.ts';
import { listTenantIds } from './people/tenant.store.ts';
import { enterTenant, outsideTenants, type TenantTransaction } from './postgres/tenant-transaction.ts';
import type { SecretBox } from './secret-box.ts';

const rotateOptions = {
  now: { type: 'boolean', default: false },
  audit: { type: 'boolean', default: false },
} as const;

/**
 * The command `rotate-keys`: access tokens are signed with a new key from now on, and with `--audit` the heads of the audit
 * trail too. With `--now` the former keys end at once, and all there are are replaced.
 */
export async function rotateKeys(config: Config, log: Logger, args: string[]): Promise<void> {
  const { now: atOnce, audit } = parseArgs({ args, options: rotateOptions }).values;
  const open = await openRuntime(config, log);
  try {
    const { database, box } = atOnce ? openBoxAnyway(config, open) : await openSecretBox(config, open);
    const rotated = await outsideTenants(database, async (outside) => {
      const tenantIds = await listTenantIds(outside);
      const made = await rotateAll(outside, box, { atOnce, audit: audit || atOnce });
      for (const tenantId of tenantIds) await tell(outside, tenantId, { verb: 'rotate', after: made });
      return made;
    });
    log.info(rotated, 'keys rotated');
  } finally {
    await open.database.close();
  }
}

/** What was made anew, by names that are no secrets. */
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

/** The command `reseal`: all that is sealed is sealed with the first key of the file; the answer is how much. */
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
  const channels = new Map<number, number>();
  for (const tenantId of tenantIds)
    channels.set(tenantId, await resealChannels(await enterTenant(outside, tenantId), box));
  // Last: whoever else writes to one of the trails waits from here on.
  for (const [tenantId, count] of channels)
    await tell(outside, tenantId, { verb: 'reseal', after: { auditKeys, installation, channels: count } });
  return [...channels.values()].reduce((sum, count) => sum + count, auditKeys + installation);
}

/** The keys are those of all tenants: the trail of each tells of them. */
async function tell(
  outside: TenantTransaction,
  tenantId: number,
  { verb, after }: { verb: string; after: object },
): Promise<void> {
  const act = { action: `keys.${verb}`, object: { kind: 'keys', id: '' }, after };
  await appendAudit(await enterTenant(outside, tenantId), [{ ...systemOrigin, ...act }], outside.now);
}
