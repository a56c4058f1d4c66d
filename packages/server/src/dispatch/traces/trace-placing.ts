import type { Span, Tracing } from '@tocsin/telemetry';
import { attemptTraceParent } from './trace-attempt.ts';

type Placed = {
  tenantId: number;
  channel: { id: number; medium: string };
  attempts: readonly { id: number; traceParent: string | null }[];
};

const none: readonly Span[] = [];

/** Starts a span for each traced attempt of a message that is handed to its channel. One message may tell of several alarms. */
export function tracePlacing(
  tracing: Tracing | undefined,
  { tenantId, channel, attempts }: Placed,
): readonly Span[] {
  if (!tracing) return none;
  return attempts.flatMap(({ id, traceParent }) => {
    if (traceParent === null) return [];
    const span = tracing.start({
      name: 'place call',
      kind: 'client',
      parent: attemptTraceParent(traceParent, tenantId, id),
      attributes: {
        'tocsin.tenant.id': tenantId,
        'tocsin.attempt.id': id,
        'tocsin.call.medium': channel.medium,
        'tocsin.channel.id': channel.id,
      },
    });
    return span ?? [];
  });
}
