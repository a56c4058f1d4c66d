import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test as base, expect } from 'vitest';
import { allowedMs } from '../harness/judged-times.ts';
import { type OnCallPlant, openOnCallPlant } from '../harness/on-call/on-call-plant.ts';
import { granted, openPlant, raise, read } from '../harness/plant.ts';
import { type Server, startServer } from '../harness/server.ts';
import {
  type Collector,
  drawTrace,
  type ReceivedSpan,
  startCollector,
} from '../harness/tracing/collector.ts';

const moduleLog = new URL('../harness/tracing/module-log.ts', import.meta.url).href;

/** Traces to a collector, sent without much delay. */
const traced = ({ url }: Collector, service: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_SERVICE_NAME: service,
  OTEL_BSP_SCHEDULE_DELAY: '50',
  LOG_LEVEL: 'debug',
});

/** A server that takes alarms and answers, and another one that makes the calls. */
type TwoServers = { plant: OnCallPlant; dispatcher: Server };

const test = base
  .extend('started', { scope: 'file' }, () => startCollector())
  .extend('collector', { scope: 'file' }, ({ started }, { onCleanup }) => {
    onCleanup(started.stop);
    return started;
  })
  .extend('servers', { scope: 'file' }, async ({ collector }, { onCleanup }): Promise<TwoServers> => {
    const plant = await openOnCallPlant({ ROLES: 'api,hub', ...traced(collector, 'intake') });
    const dispatcher = await startServer({
      databaseUrl: plant.databaseUrl,
      environment: {
        ROLES: 'dispatch',
        DRAIN_MS: '0',
        EGRESS_ALLOW: '127.0.0.0/8:*',
        SECRETS_KEY_FILE: plant.secretsKeyFile,
        PUBLIC_URL: plant.baseUrl,
        ...traced(collector, 'dispatcher'),
      },
    });
    onCleanup(async () => {
      await dispatcher.stop();
      await plant.close();
    });
    return { plant, dispatcher };
  });

/** A span of the control system that sends the alarm. */
function clientSpan() {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
}

async function raiseTraced(plant: OnCallPlant, groupId: number, traceparent: string): Promise<number> {
  const body = {
    path: `boiler/${randomBytes(4).toString('hex')}`,
    alarmMessage: 'Boiler 7 overheats',
    alarmActions: [{ type: 'CallGroup', id: groupId }],
  };
  return granted<number>(await plant.client.post('/api/v1/alarms', body, { headers: { traceparent } }));
}

/** The log lines of a server that name a trace. */
const linesOf = (output: string, traceId: string) =>
  output
    .split('\n')
    .filter((line) => line.includes(traceId))
    .map((line) => JSON.parse(line) as { msg: string; traceId: string });

test('an alarm that somebody answers is one trace, whichever server did what', async ({
  collector,
  servers,
}) => {
  const { plant, dispatcher } = servers;
  const ada = await plant.hire('Ada', { phone: { kind: 'silent', ringMs: 200 } });
  const grace = await plant.hire('Grace', { phone: { kind: 'answers', afterMs: 200, press: 'code' } });
  const { traceId, spanId, traceparent } = clientSpan();
  const alarmId = await raiseTraced(plant, await plant.group([ada, grace]), traceparent);
  // A call may be hung up a moment before its acknowledgment is stored: it has then ended as answered.
  const isCall = (outcome: RegExp) => (span: ReceivedSpan) =>
    span.name === 'call' && outcome.test(String(span.attributes['tocsin.call.outcome']));
  const answered = /^(answered|acknowledged)$/;
  await collector.until(isCall(/^noAnswer$/));
  await collector.until(isCall(answered));
  await collector.until(({ name }) => name === 'answer call');
  expect(await read(plant.client, `alarms/${alarmId}`)).toMatchObject({ ackUser: 'Grace' });

  expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  const calls = (service: string) => [`      call (${service})`, '        place call (dispatcher)'];
  expect(drawTrace(collector.spans, spanId).filter((line) => !line.includes('escalate'))).toEqual([
    'POST /api/v1/alarms (intake)',
    '  commit alarms (intake)',
    '    open escalation (intake)',
    ...calls('intake'),
    ...calls(collector.spans.find(isCall(answered))?.service ?? ''),
    '        answer call (intake)',
    '          commit alarms (intake)',
  ]);
  const steps = collector.spans.filter(({ name }) => name === 'escalate');
  const opened = collector.spans.find(({ name }) => name === 'open escalation');
  expect(steps.length, 'steps').toBeGreaterThanOrEqual(2);
  expect(new Set(steps.map(({ service, parentSpanId }) => `${service} ${parentSpanId}`))).toEqual(
    new Set([`dispatcher ${opened?.spanId}`]),
  );
  expect(collector.spans.find(isCall(answered))?.attributes).toMatchObject({
    'tocsin.call.medium': 'Voice',
    'tocsin.channel.id': plant.channels.voice,
    'tocsin.attempt.number': 1,
  });
  expect(collector.spans.find(({ name }) => name === 'answer call')?.attributes).toMatchObject({
    'tocsin.answer.intent': 'take',
    'tocsin.answer.judgement': 'accepted',
  });
  // Ids are random, and may spell a name: 0e50ada852541ec5.
  const told = collector.bodies.join('').replaceAll(/\b[\da-f]{16,32}\b/g, 'id');
  expect(told).not.toMatch(/Ada|Grace|\+33|overheats|boiler/i);
  expect(linesOf(plant.output(), traceId)).toContainEqual(
    expect.objectContaining({ msg: 'request', traceId }),
  );
  expect(linesOf(dispatcher.output(), traceId)).toContainEqual(
    expect.objectContaining({ msg: 'call placed', traceId }),
  );
});

test('an alarm that is acknowledged in the console ends its own trace, and names that of the console', async ({
  collector,
  servers: { plant },
}) => {
  const ada = await plant.hire('Ada', { phone: { kind: 'accepts' } });
  const alarm = clientSpan();
  const browser = clientSpan();
  const alarmId = await raiseTraced(plant, await plant.group([ada]), alarm.traceparent);
  await collector.until(({ name, traceId }) => name === 'place call' && traceId === alarm.traceId);
  const headers = { traceparent: browser.traceparent };
  granted(await plant.client.post(`/api/v1/alarms/${alarmId}/acknowledge`, {}, { headers }));
  const acknowledged = await collector.until(({ name }) => name === 'POST /api/v1/alarms/:id/acknowledge');
  const opened = await collector.until(
    ({ name, traceId }) => name === 'open escalation' && traceId === alarm.traceId,
  );
  expect(acknowledged).toMatchObject({
    traceId: alarm.traceId,
    parentSpanId: opened.spanId,
    links: [browser.traceId],
  });
  await collector.until(({ name, traceId }) => name === 'call' && traceId === alarm.traceId);
  expect(collector.spans.filter(({ traceId }) => traceId === browser.traceId)).toEqual([]);
});

test('a client that does not sample its trace gets none', async ({ collector, servers: { plant } }) => {
  const { traceId, traceparent } = clientSpan();
  const unsampled = traceparent.replace(/01$/, '00');
  const after = clientSpan();
  const groupId = await plant.group([await plant.hire('Ada', { phone: { kind: 'busy' } })]);
  await raiseTraced(plant, groupId, unsampled);
  await raiseTraced(plant, groupId, after.traceparent);
  await collector.until((span) => span.name === 'call' && span.traceId === after.traceId);
  expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
});

test('without the variables neither our package nor the SDK of OpenTelemetry is loaded, and nothing is sent', async ({
  collector,
  onTestFinished,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-modules-'));
  const loaded = async (name: string, environment: Record<string, string>) => {
    const file = join(folder, name);
    const plant = await openPlant('', {
      NODE_OPTIONS: `--import=${moduleLog}`,
      MODULE_LOG: file,
      ...environment,
    });
    onTestFinished(() => plant.close());
    await raise(plant.client, { path: 'P1' });
    return readFile(file, 'utf8');
  };
  const off = await loaded('off', { OTEL_SERVICE_NAME: 'off' });
  expect(off).toContain('node_modules/fastify/');
  // `prom-client` loads the API of OpenTelemetry, which does nothing by itself.
  const isOfTraces = (url: string) => /telemetry/.test(url) && !url.includes('@opentelemetry/api/');
  expect(off.split('\n').filter(isOfTraces)).toEqual([]);
  expect(await loaded('on', traced(collector, 'modules'))).toContain(
    'node_modules/@opentelemetry/sdk-trace/',
  );
  await collector.until(({ service }) => service === 'modules');
  expect(collector.spans.filter(({ service }) => service === 'off')).toEqual([]);
});

test.for(['hangs', 'fails', 'is down'] as const)(
  'a collector that %s loses no alarm, no call and no time',
  { timeout: 120_000 },
  async (fault, { onTestFinished }) => {
    const collector = await startCollector();
    if (fault === 'is down') await collector.stop();
    else collector.mode = fault;
    const plant = await openOnCallPlant(traced(collector, 'alone'));
    let isClosed = false;
    onTestFinished(async () => {
      if (!isClosed) await plant.close();
      if (fault !== 'is down') await collector.stop();
    });
    // More spans than the queue of the SDK takes.
    const count = 1_200;
    const posts = Array.from({ length: count }, (_, index) => raise(plant.client, { path: `P${index}` }));
    expect(new Set(await Promise.all(posts)).size).toBe(count);
    const grace = await plant.hire('Grace', { phone: { kind: 'answers', afterMs: 10, press: 'code' } });
    const begin = performance.now();
    const alarmId = await raiseTraced(plant, await plant.group([grace]), clientSpan().traceparent);
    for (let ackUser = ''; ackUser === ''; await sleep(50)) {
      if (performance.now() - begin > 20_000) throw new Error(`nobody was called: ${plant.output()}`);
      ({ ackUser } = await read<{ ackUser: string }>(plant.client, `alarms/${alarmId}`));
    }
    const total = await read<{ paging: { total: number } }>(plant.client, 'alarms?limit=0');
    expect(total.paging.total).toBe(count + 1);

    const times: number[] = [];
    for (let index = 0; index < 21; index += 1) {
      const sentAt = performance.now();
      await raise(plant.client, { path: `P${index}` });
      times.push(performance.now() - sentAt);
    }
    const [median = 0] = times.toSorted((one, other) => one - other).slice(10);
    const stopping = performance.now();
    isClosed = true;
    await plant.close();
    const stopMs = performance.now() - stopping;
    console.info(
      `a collector that ${fault}: a post takes ${median.toFixed(1)} ms, a stop ${stopMs.toFixed(0)} ms`,
    );
    // The exporter would wait for 10 seconds.
    expect(median).toBeLessThan(allowedMs(500));
    expect(stopMs).toBeLessThan(allowedMs(8_000));
  },
);
