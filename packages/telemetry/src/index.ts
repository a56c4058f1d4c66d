export { openTracing, type TracingSettings } from './open-tracing.ts';
export type { Attributes, Span, SpanDraft, Tracing } from './tracing.ts';
