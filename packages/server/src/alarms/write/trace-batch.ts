import type { Span, Tracing } from '@tocsin/telemetry';
import type { EscalationDraft } from '../../escalations/escalation-rows.store.ts';
import type { AlarmCommand } from '../decide/alarm-command.ts';

/** The spans of one batch. They are recorded when it is committed; those of a batch that fails are dropped. */
export type BatchTrace = {
  /** The commands, those that are traced as parts of their commit. */
  readonly commands: readonly AlarmCommand[];
  /** The escalations, each with the span that its calls belong to. */
  openEscalations(drafts: readonly EscalationDraft[]): EscalationDraft[];
  /** Call it after the commit. */
  end(): void;
};

/** Undefined if no command of the batch is traced. Every traced command has a span of its own for the common commit. */
export function traceBatch(
  tracing: Tracing,
  tenantId: number,
  commands: readonly AlarmCommand[],
): BatchTrace | undefined {
  if (commands.every(({ traceParent }) => traceParent === undefined)) return undefined;
  const spans: Span[] = [];
  const begin = (span: Span | undefined): string | undefined => {
    if (span) spans.push(span);
    return span?.traceParent;
  };
  const attributes = { 'tocsin.tenant.id': tenantId, 'tocsin.batch.size': commands.length };
  const committing = commands.map((command) => {
    const { traceParent: parent } = command;
    if (parent === undefined) return command;
    return { ...command, traceParent: begin(tracing.start({ name: 'commit alarms', parent, attributes })) };
  });
  return {
    commands: committing,
    openEscalations: (drafts) =>
      drafts.map((draft) => ({ ...draft, traceParent: begin(openSpan(tracing, tenantId, draft)) })),
    end: () => {
      for (const span of spans) span.end();
    },
  };
}

function openSpan(tracing: Tracing, tenantId: number, draft: EscalationDraft): Span | undefined {
  const { traceParent: parent, plan, tagId, occurrenceId } = draft;
  if (parent === undefined) return undefined;
  return tracing.start({
    name: 'open escalation',
    kind: 'producer',
    parent,
    attributes: {
      'tocsin.tenant.id': tenantId,
      'tocsin.alarm.id': tagId ?? 0,
      'tocsin.occurrence.id': occurrenceId ?? 0,
      'tocsin.alarm.priority': plan.priority,
      'tocsin.escalation.occasion': plan.occasion,
    },
  });
}
