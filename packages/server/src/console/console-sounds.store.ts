import { type ConsoleSound, type ConsoleSounds, defaultConsoleSounds } from '@tocsin/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type StoredSounds = { sounds: ConsoleSounds; version: number };

/** The sounds of the plant; the defaults, in version 0, if nobody has changed them. Locks them if `forUpdate` is set. */
export async function readConsoleSounds(
  transaction: TenantTransaction,
  { forUpdate }: { forUpdate: boolean } = { forUpdate: false },
): Promise<StoredSounds> {
  const query = transaction
    .selectFrom('consoleSoundSettings')
    .select(['resoundSeconds', 'version'])
    .where('tenantId', '=', transaction.tenantId);
  const settings = await (forUpdate ? query.forUpdate() : query).executeTakeFirst();
  if (!settings) return { sounds: defaultConsoleSounds, version: 0 };
  const rows = await transaction
    .selectFrom('consoleSounds')
    .select(['priority', 'sound', 'mediaFileId', 'repeatSeconds'])
    .where('tenantId', '=', transaction.tenantId)
    .orderBy('priority')
    .execute();
  const sounds = rows.map(soundOf);
  return { sounds: { sounds, resoundSeconds: settings.resoundSeconds }, version: settings.version };
}

function soundOf({
  priority,
  sound,
  mediaFileId,
  repeatSeconds,
}: {
  priority: number;
  sound: string;
  mediaFileId: number | null;
  repeatSeconds: number;
}): ConsoleSound {
  const kind = sound as ConsoleSound['sound'];
  return { priority, sound: kind, ...(mediaFileId !== null && { mediaFileId }), repeatSeconds };
}

export async function saveConsoleSounds(
  transaction: TenantTransaction,
  { sounds, resoundSeconds }: ConsoleSounds,
): Promise<void> {
  const { tenantId, now: lastChange } = transaction;
  await transaction
    .insertInto('consoleSoundSettings')
    .values({ tenantId, resoundSeconds, lastChange })
    .onConflict((conflict) =>
      conflict.column('tenantId').doUpdateSet(({ eb }) => ({
        resoundSeconds,
        lastChange,
        version: eb('consoleSoundSettings.version', '+', 1),
      })),
    )
    .execute();
  const rows = sounds.map(({ priority, sound, mediaFileId, repeatSeconds }) => ({
    tenantId,
    priority,
    sound,
    mediaFileId: sound === 'file' ? (mediaFileId ?? null) : null,
    repeatSeconds,
  }));
  await transaction
    .insertInto('consoleSounds')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['tenantId', 'priority']).doUpdateSet(({ ref }) => ({
        sound: ref('excluded.sound'),
        mediaFileId: ref('excluded.mediaFileId'),
        repeatSeconds: ref('excluded.repeatSeconds'),
      })),
    )
    .execute();
}

/** The content types of those media files that exist. Locks them, so that they are not deleted before the commit. */
export async function readContentTypes(
  transaction: TenantTransaction,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ id: number; contentType: string }>`
    select id, content_type from media_files
    where tenant_id = ${transaction.tenantId} and id = any(${[...ids]}::bigint[])
    order by id for key share`.execute(transaction);
  return new Map(rows.map(({ id, contentType }) => [id, contentType]));
}
