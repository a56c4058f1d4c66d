import type { Span, Tracing } from '@tocsin/telemetry';
import { attemptTraceParent } from './trace-attempt.ts';

type TracedAnswer = {
  tenantId: number;
  method: string;
  intent: string;
  /** The attempts that the answer is for. */
  together: readonly { id: number; traceParent: string | null }[];
};

/** The spans of an answer: one in the trace of each alarm that the message was about. */
export type AnswerTrace = {
  /** The `traceparent` for the acknowledgment of the alarm of an attempt. */
  traceParentOf(attemptId: number): string | undefined;
  end(judgement: string): void;
};

const notTraced: AnswerTrace = { traceParentOf: () => undefined, end: () => {} };

export function traceAnswer(
  tracing: Tracing | undefined,
  { tenantId, method, intent, together }: TracedAnswer,
): AnswerTrace {
  if (!tracing) return notTraced;
  const spans = new Map<number, Span>();
  for (const { id, traceParent } of together) {
    if (traceParent === null) continue;
    const span = tracing.start({
      name: 'answer call',
      kind: 'consumer',
      parent: attemptTraceParent(traceParent, tenantId, id),
      attributes: {
        'tocsin.tenant.id': tenantId,
        'tocsin.attempt.id': id,
        'tocsin.answer.method': method,
        'tocsin.answer.intent': intent,
      },
    });
    if (span) spans.set(id, span);
  }
  return {
    traceParentOf: (attemptId) => spans.get(attemptId)?.traceParent,
    end: (judgement) => {
      for (const span of spans.values()) span.end({ 'tocsin.answer.judgement': judgement });
    },
  };
}
