import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../settings/config.ts';
import { speechSettingsOf } from '../../settings/speech-settings.ts';

/** A call of another tenant may still play a prompt that was used this recently. */
const playedMs = 600_000;

export type DeletedFiles = { deleted: number; kept: number };

/**
 * Deletes files of a tenant on this machine: the folder of its modems, and all spoken prompts. The names of prompts do not
 * tell the tenant, and the server speaks them again when it needs them.
 */
export async function deleteTenantFiles(config: Config, tenantId: number, now: Date): Promise<DeletedFiles> {
  const { smsModemDirectory } = config;
  if (smsModemDirectory !== undefined)
    await rm(join(smsModemDirectory, String(tenantId)), { recursive: true, force: true });
  const { directory } = speechSettingsOf(config);
  const names = await readdir(directory).catch(() => []);
  let deleted = 0;
  for (const name of names) {
    const file = join(directory, name);
    const status = await stat(file).catch(() => undefined);
    if (!status?.isFile() || now.getTime() - status.mtimeMs < playedMs) continue;
    await rm(file, { force: true });
    deleted += 1;
  }
  return { deleted, kept: names.length - deleted };
}
