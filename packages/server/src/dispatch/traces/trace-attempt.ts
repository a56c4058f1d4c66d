import { createHash } from 'node:crypto';
import type { Attempt } from '@tocsin/domain';
import type { Tracing } from '@tocsin/telemetry';

/** A traced attempt that has ended, with all that its span shows: neither the person nor the message. */
export type EndedAttempt = {
  tenantId: number;
  id: number;
  /** Of its escalation. */
  traceParent: string;
  sentAt: Date;
  endedAt: Date;
  channelId: number;
  /** Counts the tries of the person within a step. */
  number: number;
};

/** Undefined if the attempt is not traced, has not ended now, or was never sent. */
export function endedAttempt(
  tenantId: number,
  {
    id,
    traceParent,
    endedAt: before,
    sentAt,
    channelId,
    try: number,
  }: Attempt & { traceParent: string | null },
  { endedAt }: Attempt,
): EndedAttempt | undefined {
  if (traceParent === null || before !== undefined || !endedAt || !sentAt) return undefined;
  return { tenantId, id, traceParent, sentAt, endedAt, channelId, number };
}

/**
 * The W3C `traceparent` of an attempt. Its span is recorded at its end, by the server that learns of it; until then any server can
 * name it as a parent, because its identifier follows from the trace and the attempt.
 */
export function attemptTraceParent(traceParent: string, tenantId: number, attemptId: number): string {
  const [version = '00', traceId = ''] = traceParent.split('-');
  return `${version}-${traceId}-${attemptSpanId(traceId, tenantId, attemptId)}-01`;
}

function attemptSpanId(traceId: string, tenantId: number, attemptId: number): string {
  const name = `attempt ${tenantId} ${attemptId} of ${traceId}`;
  return createHash('sha256').update(name).digest('hex').slice(0, 16);
}

type Ended = { medium: string; outcome: string; ended?: EndedAttempt | undefined };

/** Records the attempts among the changes that have ended. Call it after the commit. */
export function traceEnded(tracing: Tracing, changes: readonly Ended[]): void {
  for (const { medium, outcome, ended } of changes) {
    if (!ended) continue;
    const { tenantId, id, traceParent, sentAt, endedAt, channelId, number } = ended;
    const [, , spanId] = attemptTraceParent(traceParent, tenantId, id).split('-');
    const span = tracing.start({
      name: 'call',
      kind: 'client',
      parent: traceParent,
      spanId,
      startedAt: sentAt,
      attributes: {
        'tocsin.tenant.id': tenantId,
        'tocsin.attempt.id': id,
        'tocsin.attempt.number': number,
        'tocsin.call.medium': medium,
        'tocsin.channel.id': channelId,
        'tocsin.call.outcome': outcome,
      },
    });
    span?.end({}, endedAt);
  }
}
