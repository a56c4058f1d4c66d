import { createHash, randomBytes } from 'node:crypto';
import type { AlarmWriter } from '../alarms/alarm-writer.ts';
import type { ChannelMeans } from '../channels/channel.routes.ts';
import { createChannelPool } from '../channels/channel-pool.ts';
import { createKnownDirectories } from '../duties/known-directories.ts';
import { installationSecret } from '../identity/installation-secrets.ts';
import { readMediaNamed } from '../plant/media-file.store.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { createAttemptNames } from './attempt-name.ts';
import { createChannelHealth } from './channel-health.ts';
import type { Dispatch } from './dispatch.ts';
import { createSendLimits } from './send-limits.ts';
import { createSendSlots } from './send-slots.ts';
import { createTenantChannels } from './tenant-channels.ts';

export type DispatchSettings = {
  means: ChannelMeans;
  writer: AlarmWriter;
  publicUrl: string;
  now: () => Date;
};

/** What making and answering calls needs of this installation. */
export async function openDispatch(
  runtime: Runtime,
  { means, writer, publicUrl, now }: DispatchSettings,
): Promise<Dispatch> {
  const secret = await installationSecret(runtime, 'answers', randomBytes(32).toString('base64'));
  const readMedia = (tenantId: number, name: string) =>
    readTenant(runtime.database, tenantId, (transaction) => readMediaNamed(transaction, name));
  return {
    runtime,
    directories: createKnownDirectories(),
    channels: createTenantChannels(
      createChannelPool({ ...means, log: runtime.log, now, readMedia }),
      runtime.log,
    ),
    health: createChannelHealth(),
    limits: createSendLimits(),
    slots: createSendSlots(),
    names: createAttemptNames(installationOf(secret)),
    answerKeys: [Buffer.from(secret, 'base64')],
    writer,
    publicUrl,
    now,
  };
}

/** Tells installations apart, and says nothing of the secret. */
function installationOf(secret: string): string {
  return createHash('sha256').update(`installation ${secret}`).digest('hex').slice(0, 12);
}
