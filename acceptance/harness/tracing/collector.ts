import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenLocally } from '../http/listen-locally.ts';

/** A span as it arrived, with the name of the service that sent it. */
export type ReceivedSpan = {
  service: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  name: string;
  startMs: number;
  endMs: number;
  attributes: Readonly<Record<string, unknown>>;
  /** The traces that the span is linked with. */
  links: readonly string[];
};

/** `hangs`: takes requests and never answers. */
export type CollectorMode = 'answers' | 'hangs' | 'fails';

export type Collector = {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** The bodies of all requests. */
  readonly bodies: string[];
  mode: CollectorMode;
  /** Waits for a span that fits. */
  until(fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
  stop(): Promise<void>;
};

type OtlpValue = {
  stringValue?: string;
  intValue?: number | string;
  boolValue?: boolean;
  doubleValue?: number;
};
type OtlpAttribute = { key: string; value: OtlpValue };
type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: OtlpAttribute[];
  links?: { traceId: string }[];
};
type OtlpRequest = {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
};

const maxWaitMs = 30_000;

/** A collector of traces that takes the JSON form of OTLP over HTTP. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await textOf(request);
    bodies.push(body);
    if (collector.mode === 'hangs') return;
    const isKnown = request.method === 'POST' && request.url === '/v1/traces';
    if (!isKnown || collector.mode === 'fails') {
      response.writeHead(isKnown ? 500 : 404).end();
      return;
    }
    spans.push(...spansOf(JSON.parse(body) as OtlpRequest));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void answer(request, response));
  const { port, stop } = await listenLocally(server);
  const collector: Collector = {
    url: `http://127.0.0.1:${port}`,
    spans,
    bodies,
    mode: 'answers',
    until: async (fits) => {
      const deadline = performance.now() + maxWaitMs;
      for (;;) {
        const found = spans.find(fits);
        if (found) return found;
        if (performance.now() > deadline) throw new Error(`not among ${JSON.stringify(spans, undefined, 1)}`);
        await sleep(50);
      }
    },
    stop,
  };
  return collector;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function spansOf({ resourceSpans }: OtlpRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap((scope) => scope.spans.map((span) => received(service, span)));
  });
}

function received(service: string, span: OtlpSpan): ReceivedSpan {
  const { traceId, spanId, parentSpanId = '', name, attributes = [], links = [] } = span;
  return {
    service,
    traceId,
    spanId,
    parentSpanId,
    name,
    startMs: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
    endMs: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
    attributes: valuesOf(attributes),
    links: links.map((link) => link.traceId),
  };
}

function valuesOf(attributes: readonly OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  );
}

/** A trace as indented names, each span below its parent, in the order of their starts. */
export function drawTrace(spans: readonly ReceivedSpan[], parentSpanId: string, indent = ''): string[] {
  const children = spans
    .filter((span) => span.parentSpanId === parentSpanId)
    .toSorted((one, other) => one.startMs - other.startMs);
  const lines: string[] = [];
  for (const { name, service, spanId } of children)
    lines.push(`${indent}${name} (${service})`, ...drawTrace(spans, spanId, `${indent}  `));
  return lines;
}
