import { findChannel } from '../channels/channel.store.ts';
import { openSecrets } from '../channels/channel.wire.ts';
import { type ProviderReport, readProviderCallback } from '../channels/provider-callback.ts';
import type { HeaderReader } from '../channels/webhook-signature.ts';
import { inTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { SecretBox } from '../secret-box.ts';
import { findAnsweredAttempt, hasAlarm, listSentTogether, recordAnswer } from './answer.store.ts';
import type { Answering } from './answer-call.ts';
import { rememberCallback, wasHeard } from './answer-callback.store.ts';
import { type AnswerIntent, readDigits } from './answer-judgement.ts';
import { lockAttempts } from './delivery.store.ts';
import { judgeOutcome } from './judge-outcome.ts';
import { referenceOf, toldBy } from './outcome.wire.ts';
import { settleAttempts } from './settle-attempts.ts';

export type CallbackMeans = Answering & { readonly box: SecretBox | undefined };

/** A report as it came: `text` is what was signed, and `attemptName` what it says of itself. */
export type SentCallback = { channelId: number; attemptName: string; headers: HeaderReader; text: string };

/**
 * Hears what a provider reports of an attempt. It is believed when it bears the signature of the channel that the attempt
 * went out by; the second of the same name changes nothing. Answers whether it was heard.
 */
export async function answerCallback(means: CallbackMeans, sent: SentCallback): Promise<boolean> {
  const { tenantId, attemptId } = means.names.parse(sent.attemptName) ?? {};
  if (tenantId === undefined || attemptId === undefined) return false;
  const place = { tenantId, attemptId };
  const { database } = means.runtime;
  const read = await inTenant(database, tenantId, (transaction) =>
    readReport(means, transaction, { ...place, sent }),
  );
  if (read.kind !== 'report') return read.kind === 'repeated';

  const { outcome, from } = read.report;
  const { outcome: left } = await judgeOutcome(means, { ...place, outcome, from });
  await inTenant(database, tenantId, async (transaction) => {
    const together = await listSentTogether(transaction, attemptId);
    await settleAttempts(
      transaction,
      together.map(({ id }) => ({
        attemptId: id,
        report: { outcome: toldBy(left) },
        reference: referenceOf(left),
      })),
    );
    await rememberCallback(transaction, { ...sent, callbackId: read.report.callbackId });
  });
  return true;
}

type Read = { kind: 'report'; report: ProviderReport } | { kind: 'repeated' } | { kind: 'refused' };

async function readReport(
  { box }: CallbackMeans,
  transaction: TenantTransaction,
  { tenantId, attemptId, sent }: { tenantId: number; attemptId: number; sent: SentCallback },
): Promise<Read> {
  const { channelId, headers, text } = sent;
  const attempt = await findAnsweredAttempt(transaction, attemptId);
  if (!attempt) return { kind: 'refused' };
  const record = async (judgement: 'forged' | 'replayed', wanted: AnswerIntent) => {
    // Answers to an attempt are numbered: a flood of forged ones must not get into the way of a true one.
    await lockAttempts(transaction, [attemptId]);
    const intent = hasAlarm(await listSentTogether(transaction, attempt.sentAs)) ? wanted : 'confirm';
    await recordAnswer(transaction, { attemptId, way: 'provider', intent, judgement });
  };

  const secrets = await callbackSecrets(transaction, channelId, { box, tenantId });
  const read = readProviderCallback({ headers, body: text, now: transaction.now }, secrets);
  // A channel speaks of what went out by it, and of nothing else.
  const isForged = read.kind === 'report' ? attempt.channelId !== channelId : read.reason === 'not-signed';
  if (isForged) await record('forged', 'take');
  if (isForged || read.kind === 'refused') return { kind: 'refused' };

  const { report } = read;
  if (!(await wasHeard(transaction, { channelId, callbackId: report.callbackId }))) return read;
  if (report.outcome.kind === 'acknowledged')
    await record('replayed', readDigits(report.outcome.code).intent);
  return { kind: 'repeated' };
}

/** What a provider signs its reports with; there is none where the channel has no such secret. */
async function callbackSecrets(
  transaction: TenantTransaction,
  channelId: number,
  keep: { box: SecretBox | undefined; tenantId: number },
): Promise<string[]> {
  const row = await findChannel(transaction, channelId, { forUpdate: false });
  const { callbackSecret } = (row && openSecrets(row, keep)) ?? {};
  return callbackSecret === undefined ? [] : [callbackSecret];
}
