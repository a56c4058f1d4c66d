import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { AlarmWriter } from '../alarms/write/alarm-writer.ts';
import type { ChannelDependencies } from '../channels/channel.routes.ts';
import { createChannelPool } from '../channels/channel-pool.ts';
import { type ConfigurationCache, createConfigurationCache } from '../escalations/configuration-cache.ts';
import { installationSecret } from '../identity/tokens/installation-secrets.ts';
import { readMediaByName } from '../plant/media-file.store.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { answerKeys as judgeKeys } from './answers/answer-keys.ts';
import { judgeOutcome } from './answers/judge-outcome.ts';
import { receiveIncoming } from './answers/receive-incoming.ts';
import { createChannelHealth } from './engine/channel-health.ts';
import type { Dispatch } from './engine/dispatch.ts';
import { createLiveCalls } from './engine/live-calls.ts';
import { createSendLimits } from './engine/send-limits.ts';
import { createSendSlots } from './engine/send-slots.ts';
import { createTenantChannels } from './engine/tenant-channels.ts';
import { createAttemptNames } from './outcomes/attempt-name.ts';
import { createCallMetrics } from './outcomes/call-metrics.ts';
import { withTraces } from './outcomes/with-traces.ts';

export type DispatchSettings = {
  means: ChannelDependencies;
  writer: AlarmWriter;
  /** Shared with other parts of the server. */
  configuration?: ConfigurationCache;
  publicUrl: string;
  now: () => Date;
  registry: Registry;
};

/** Opens the services that making and answering calls needs. */
export async function openDispatch(
  runtime: Runtime,
  { means, writer, configuration = createConfigurationCache(), publicUrl, now, registry }: DispatchSettings,
): Promise<Dispatch> {
  const secret = await installationSecret(runtime, 'answers', randomBytes(32).toString('base64'));
  const readMedia = (tenantId: number, name: string) =>
    readTenant(runtime.database, tenantId, (transaction) => readMediaByName(transaction, name));
  const names = createAttemptNames(installationOf(secret));
  const answerKeys = [Buffer.from(secret, 'base64')] as const;
  const metrics = withTraces(createCallMetrics(registry), runtime.tracing);
  const answerServices = { runtime, writer, names, answerKeys, countAttempts: metrics.countAttempts };
  return {
    runtime,
    configuration,
    channels: createTenantChannels(
      createChannelPool({
        ...means,
        log: runtime.log,
        now,
        readMedia,
        receive: async (place, incoming) => void (await receiveIncoming(answerServices, place, incoming)),
        signingKeyOf: (tenantId) => replyKeyOf(answerKeys[0], tenantId),
      }),
      runtime.log,
    ),
    health: createChannelHealth(),
    limits: createSendLimits(),
    slots: createSendSlots(),
    metrics,
    names,
    answerKeys,
    judgeAnswer: async (reported) => (await judgeOutcome(answerServices, reported)).outcome,
    judgeKeys: (pressed) => judgeKeys(answerServices, pressed),
    node: randomUUID(),
    calls: createLiveCalls(),
    writer,
    publicUrl,
    now,
  };
}

/** Identifies the installation without revealing the secret. */
function installationOf(secret: string): string {
  return createHash('sha256').update(`installation ${secret}`).digest('hex').slice(0, 12);
}

/** The key for the addresses to which people reply: the same for all channels of a tenant, which may share a mailbox. */
function replyKeyOf(answerKey: Buffer, tenantId: number): Buffer {
  return createHmac('sha256', answerKey).update(`replies to tenant ${tenantId}`).digest();
}
