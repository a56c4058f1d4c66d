import type { Span, SpanDraft, Tracing } from '@tocsin/telemetry';

export type RecordedSpan = {
  name: string;
  parent: string | undefined;
  traceParent: string;
  attributes: object;
};

/** Stands in for OpenTelemetry and its collector: all spans that have ended, in the order of their ends. */
export type RecordedTraces = { readonly tracing: Tracing; readonly spans: RecordedSpan[] };

export function recordTraces(now: () => Date): RecordedTraces {
  const spans: RecordedSpan[] = [];
  let last = 0;
  const start = ({ name, parent, spanId, attributes: first }: SpanDraft): Span => {
    last += 1;
    const traceId = parent?.split('-')[1] ?? String(last).padStart(32, '0');
    const traceParent = `00-${traceId}-${spanId ?? String(last).padStart(16, '0')}-01`;
    const end = (more: object = {}) =>
      void spans.push({ name, parent, traceParent, attributes: { ...first, ...more } });
    return { traceId, traceParent, end };
  };
  return { tracing: { start, now, close: async () => {} }, spans };
}
