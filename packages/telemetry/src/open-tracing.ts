import {
  type Context,
  type Span as LibrarySpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { samplerOf } from './sampler.ts';
import { createSpanIds, type SpanIds } from './span-ids.ts';
import type { Span, SpanDraft, SpanKindName, Tracing } from './tracing.ts';
import { type DeliveryListener, watchExporter } from './watched-exporter.ts';

export type TracingSettings = {
  /** Of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly serviceVersion: string;
  /** As `OTEL_TRACES_SAMPLER` names it. */
  readonly sampler: string;
  /** The part of traces that is recorded, from 0 to 1, for samplers by ratio. */
  readonly ratio: number;
  /** How long ended spans wait for others before they are sent together. */
  readonly delayMs: number;
  readonly now: () => Date;
} & DeliveryListener;

const kinds: Readonly<Record<SpanKindName, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** A server that stops waits no longer for a collector that does not answer. */
const maxCloseMs = 2_000;

/**
 * Opens the export of traces by OTLP over HTTP. Spans wait in memory, at most 2,048; if the collector is down, further ones
 * are dropped.
 */
export function openTracing(settings: TracingSettings): Tracing {
  const ids = createSpanIds();
  const url = `${settings.endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = watchExporter(new OTLPTraceExporter({ url }), settings);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.serviceName,
      'service.version': settings.serviceVersion,
    }),
    sampler: samplerOf(settings.sampler, settings.ratio),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: settings.delayMs })],
  });
  const tracer = provider.getTracer('tocsin', settings.serviceVersion);
  return {
    start: (draft) => startSpan(tracer, ids, draft),
    now: settings.now,
    close: () => within(maxCloseMs, provider.shutdown()),
  };
}

function startSpan(tracer: Tracer, ids: SpanIds, draft: SpanDraft): Span | undefined {
  const { name, kind = 'internal', attributes, startedAt } = draft;
  const link = contextOf(draft.link);
  ids.next = draft.spanId;
  const span = tracer.startSpan(
    name,
    {
      kind: kinds[kind],
      ...(attributes && { attributes }),
      ...(startedAt && { startTime: startedAt }),
      ...(link && { links: [{ context: link }] }),
    },
    parentOf(draft.parent),
  );
  return span.isRecording() ? recordedSpan(span) : undefined;
}

function recordedSpan(span: LibrarySpan): Span {
  const { traceId, spanId } = span.spanContext();
  return {
    traceId,
    traceParent: `00-${traceId}-${spanId}-01`,
    end: (attributes, endedAt) => {
      if (attributes) span.setAttributes(attributes);
      if (attributes?.['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endedAt);
    },
  };
}

function parentOf(traceParent: string | undefined): Context {
  const parent = contextOf(traceParent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

function contextOf(traceParent: string | undefined): SpanContext | undefined {
  const parsed = traceParent === undefined ? null : parseTraceParent(traceParent);
  return parsed
    ? { ...parsed, isRemote: true, traceFlags: parsed.traceFlags & TraceFlags.SAMPLED }
    : undefined;
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work.catch(() => undefined), late.promise]);
  clearTimeout(timer);
}
