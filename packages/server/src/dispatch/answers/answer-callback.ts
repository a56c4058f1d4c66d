import type { CallbackReading, CallbackResponse } from '../../channels/port/channel.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { ChannelPlace } from '../engine/channel-health.ts';
import type { TenantChannels } from '../engine/tenant-channels.ts';
import { lockAttempts } from '../outcomes/settle.store.ts';
import {
  type AnsweredAttempt,
  findAnsweredAttempt,
  hasAlarm,
  listSentTogether,
  recordAnswer,
} from './answer.store.ts';
import type { AnswerServices } from './answer-call.ts';
import { saveCallback, wasReceived } from './answer-callback.store.ts';
import { type AnswerIntent, readDigits } from './answer-judgement.ts';
import { receiveIncoming } from './receive-incoming.ts';

export type CallbackServices = AnswerServices & {
  readonly findChannel: TenantChannels['find'];
  /** The URL at which providers reach this server; empty when they cannot. */
  readonly publicUrl: string;
};

/** A call-back as it arrived. It claims to be about an attempt, or about none and then for a tenant. */
export type SentCallback = {
  channelId: number;
  /** Empty if it is about no attempt. */
  attemptName: string;
  tenantId: number | undefined;
  /** The URL as the provider called it. */
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The unparsed body. */
  body: string;
};

/**
 * Handles a provider's call-back. It must be signed with the secret of the channel, and may only be about attempts that
 * this channel has sent; a repeated one changes nothing. Returns the response to the provider; undefined if the call-back
 * is refused.
 */
export async function answerCallback(
  services: CallbackServices,
  sent: SentCallback,
): Promise<CallbackResponse | undefined> {
  const named = services.names.parse(sent.attemptName);
  const tenantId = sent.attemptName === '' ? sent.tenantId : named?.tenantId;
  if (tenantId === undefined) return undefined;
  const { channelId } = sent;
  const { database } = services.runtime;
  const read = await inTenant(database, tenantId, (transaction) =>
    readCallback(services, transaction, { sent, attemptId: named?.attemptId }),
  );
  if (read.kind === 'refused') return undefined;
  const { incoming, callbackId, response, responseTo } = read.reading;
  if (read.kind === 'repeated') return response;

  const place: ChannelPlace = { tenantId, channelId };
  const reply = await receiveIncoming(services, place, incoming);
  await inTenant(database, tenantId, (transaction) => saveCallback(transaction, { channelId, callbackId }));
  return responseTo?.(reply) ?? response;
}

type Report = Extract<CallbackReading, { kind: 'report' }>;
type Read = { kind: 'new' | 'repeated'; reading: Report } | { kind: 'refused' };

const refused = { kind: 'refused' } as const;
const notSigned = { kind: 'refused', reason: 'not-signed' } as const;

async function readCallback(
  { findChannel }: CallbackServices,
  transaction: TenantTransaction,
  { sent, attemptId }: { sent: SentCallback; attemptId: number | undefined },
): Promise<Read> {
  const { channelId, url, headers, body } = sent;
  const attempt = attemptId === undefined ? undefined : await findAnsweredAttempt(transaction, attemptId);
  if (attemptId !== undefined && !attempt) return refused;
  const found = await findChannel(transaction, channelId);
  const request = { url, headers, body, now: transaction.now };
  const reading = found?.channel.receive?.(request) ?? notSigned;
  if (isForged(reading, { sent, attempt })) {
    await record(transaction, attempt, { judgement: 'forged', wanted: 'take' });
    return refused;
  }
  if (reading.kind === 'refused') return refused;
  if (!(await wasReceived(transaction, { channelId, callbackId: reading.callbackId })))
    return { kind: 'new', reading };
  const wanted = intentOf(reading);
  if (wanted) await record(transaction, attempt, { judgement: 'replayed', wanted });
  return { kind: 'repeated', reading };
}

/** A channel may only report on attempts that were sent through it, and only on the one that it names. */
function isForged(
  reading: CallbackReading,
  { sent, attempt }: { sent: SentCallback; attempt: AnsweredAttempt | undefined },
): boolean {
  if (reading.kind === 'refused') return reading.reason === 'not-signed';
  if (reading.incoming.attemptId !== sent.attemptName) return true;
  return attempt !== undefined && attempt.channelId !== sent.channelId;
}

/** What a person wanted, if the call-back brings an answer. */
function intentOf({ incoming }: Report): AnswerIntent | undefined {
  if (incoming.kind === 'reply') return readDigits(incoming.text).intent;
  const { outcome } = incoming;
  if (outcome.kind === 'acknowledged') return readDigits(outcome.code).intent;
  return outcome.kind === 'pressed' ? outcome.choice : undefined;
}

/** Answer records are numbered, so they are written under the lock of the attempt. */
async function record(
  transaction: TenantTransaction,
  attempt: AnsweredAttempt | undefined,
  { judgement, wanted }: { judgement: 'forged' | 'replayed'; wanted: AnswerIntent },
): Promise<void> {
  if (!attempt) return;
  await lockAttempts(transaction, [attempt.id]);
  const intent = hasAlarm(await listSentTogether(transaction, attempt.sentAs)) ? wanted : 'confirm';
  await recordAnswer(transaction, { attemptId: attempt.id, method: 'provider', intent, judgement });
}
