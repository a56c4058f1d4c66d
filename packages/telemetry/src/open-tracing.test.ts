import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openTracing, type TracingSettings } from './open-tracing.ts';

type Sent = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status?: { code?: number };
};

const running: Server[] = [];
afterEach(() => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A collector that answers with the status, or never. */
async function collect(status: number | undefined): Promise<{ url: string; spans: Sent[] }> {
  const spans: Sent[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: Sent[] }[] }[];
      };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      if (status !== undefined) response.writeHead(status).end('{}');
    });
  });
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans };
}

const open = (endpoint: string, more: Partial<TracingSettings> = {}) =>
  openTracing({
    endpoint,
    serviceName: 'test',
    serviceVersion: '1',
    sampler: 'parentbased_always_on',
    ratio: 1,
    delayMs: 60_000,
    now: () => new Date(),
    onLost: () => {},
    onRecovered: () => {},
    ...more,
  });

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parent = `00-${traceId}-b7ad6b7169203331-01`;

test('a span continues the trace of its parent, and ends with the process at the latest', async () => {
  const { url, spans } = await collect(200);
  const tracing = open(url);
  const span = tracing.start({ name: 'post', parent });
  tracing
    .start({ name: 'child', parent: span?.traceParent, spanId: '00f067aa0ba902b7' })
    ?.end({ 'error.type': 'x' });
  tracing.start({ name: 'never ends', parent });
  span?.end();
  expect(span?.traceId).toBe(traceId);
  await tracing.close();
  expect(spans).toMatchObject([
    {
      name: 'child',
      traceId,
      spanId: '00f067aa0ba902b7',
      parentSpanId: span?.traceParent.split('-')[2],
      status: { code: 2 },
    },
    { name: 'post', traceId, parentSpanId: 'b7ad6b7169203331' },
  ]);
});

test.for([
  ['parentbased_always_on', undefined, true],
  ['parentbased_always_on', parent.replace(/01$/, '00'), false],
  ['parentbased_always_off', undefined, false],
  ['parentbased_always_off', parent, true],
  ['always_off', parent, false],
  ['always_on', parent.replace(/01$/, '00'), true],
  ['traceidratio', undefined, false],
  ['parentbased_traceidratio', parent, true],
  ['always_on', 'not a traceparent', true],
] as const)('the sampler %s records below %s: %s', async ([sampler, given, isRecorded]) => {
  const tracing = open('http://127.0.0.1:1', { sampler, ratio: 0 });
  expect(tracing.start({ name: 'post', parent: given }) !== undefined).toBe(isRecorded);
  await tracing.close();
});

test('a collector that refuses is reported once, and one that hangs does not keep the process', async () => {
  const lost: string[] = [];
  const refusing = open((await collect(400)).url, { delayMs: 10, onLost: (reason) => lost.push(reason) });
  for (let round = 0; round < 3; round += 1) {
    refusing.start({ name: 'post' })?.end();
    await expect.poll(() => lost.length).toBe(1);
  }
  await refusing.close();
  expect(lost).toHaveLength(1);

  const hanging = open((await collect(undefined)).url);
  hanging.start({ name: 'post' })?.end();
  const begin = performance.now();
  await hanging.close();
  expect(performance.now() - begin).toBeLessThan(5_000);
});
