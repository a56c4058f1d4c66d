import type { Tracing } from '@tocsin/telemetry';
import type { Escalated } from '../../escalations/escalation.store.ts';

/** Records a step of an escalation, if it is traced and the step did something. Call it after the commit. */
export function traceStep(
  tracing: Tracing,
  { tenantId, made, startedAt }: { tenantId: number; made: Escalated; startedAt: Date | undefined },
): void {
  const { work, attempts, hangUp, events, wakeAt, state } = made;
  const isClosed = wakeAt === undefined;
  const didNothing = attempts.length + hangUp.length + events.length === 0 && !isClosed;
  if (!work.traceParent || didNothing) return;
  const span = tracing.start({
    name: 'escalate',
    kind: 'consumer',
    parent: work.traceParent,
    startedAt,
    attributes: {
      'tocsin.tenant.id': tenantId,
      'tocsin.escalation.id': work.id,
      'tocsin.escalation.attempts': attempts.length,
      'tocsin.escalation.events': events.map(({ kind }) => kind).join(','),
      ...(isClosed && { 'tocsin.escalation.closed': state.closed ?? 'missed' }),
    },
  });
  span?.end();
}
