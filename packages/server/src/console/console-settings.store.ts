import { type ConsoleSettings, type ConsoleSettingsBody, defaultConsoleSettings } from '@tocsin/contract';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type StoredConsoleSettings = { settings: ConsoleSettings; version: number };

/** The settings of a user; the defaults, in version 0, if they have changed none. */
export async function readConsoleSettings(
  transaction: TenantTransaction,
  userId: number,
  { forUpdate }: { forUpdate: boolean } = { forUpdate: false },
): Promise<StoredConsoleSettings> {
  const query = transaction
    .selectFrom('consoleSettings')
    .select(['settings', 'version'])
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId);
  const row = await (forUpdate ? query.forUpdate() : query).executeTakeFirst();
  // A later release may know more members than the row has.
  return { settings: withDefaults(row?.settings ?? {}), version: row?.version ?? 0 };
}

/** The known members of a body, and the defaults of the others. */
export function withDefaults(body: ConsoleSettingsBody): ConsoleSettings {
  const known = { ...defaultConsoleSettings, ...body };
  const sound = { ...defaultConsoleSettings.sound, ...body.sound };
  return {
    theme: known.theme,
    density: known.density,
    steady: known.steady,
    language: known.language,
    zone: known.zone,
    singleKeys: known.singleKeys,
    sound: { on: sound.on, volume: sound.volume, lowestPriority: sound.lowestPriority },
  };
}

export async function saveConsoleSettings(
  transaction: TenantTransaction,
  userId: number,
  settings: ConsoleSettings,
): Promise<void> {
  const { tenantId, now: lastChange } = transaction;
  const row = { settings: JSON.stringify(settings), lastChange };
  await transaction
    .insertInto('consoleSettings')
    .values({ tenantId, userId, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['tenantId', 'userId'])
        .doUpdateSet(({ eb }) => ({ ...row, version: eb('consoleSettings.version', '+', 1) })),
    )
    .execute();
}
