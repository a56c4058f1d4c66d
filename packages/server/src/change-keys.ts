import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { resealChannels } from './channels/reseal-channels.ts';
import type { Config } from './config.ts';
import { replaceInstallationSecrets, resealInstallation } from './identity/installation-secrets.ts';
import { rotateSigningKeys } from './identity/signing-keys.ts';
import { openRuntime } from './open-runtime.ts';
import { openBoxAnyway, openSecretBox } from './open-secret-box.ts';
import { listTenantIds } from './people/tenant.store.ts';
import { outsideTenants } from './postgres/tenant-transaction.ts';
import type { Runtime } from './runtime.ts';

/**
 * The command `rotate-keys`: access tokens are signed with a new key from now on. With `--now` the former keys end at once,
 * and what seals hub connections and signs answers is replaced too.
 */
export async function rotateKeys(config: Config, log: Logger, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { now: { type: 'boolean', default: false } } });
  const open = await openRuntime(config, log);
  try {
    if (values.now) await replaceInstallationSecrets(openBoxAnyway(config, open));
    else await rotateSigningKeys(await openSecretBox(config, open), { atOnce: false });
    log.info({ atOnce: values.now }, 'keys rotated');
  } finally {
    await open.database.close();
  }
}

/** The command `reseal`: all that is sealed is sealed with the first key of the file; the answer is how much. */
export async function reseal(config: Config, log: Logger): Promise<number> {
  const open = await openRuntime(config, log);
  try {
    return await resealAll(await openSecretBox(config, open));
  } finally {
    await open.database.close();
  }
}

async function resealAll(runtime: Runtime): Promise<number> {
  let count = await resealInstallation(runtime);
  for (const tenantId of await outsideTenants(runtime.database, listTenantIds))
    count += await resealChannels(runtime, tenantId);
  return count;
}
