import type { MediumKind } from '@tocsin/domain';
import { test as base, expect } from 'vitest';
import { startPhoneCompany } from '../../../../../acceptance/harness/phone-company/phone-company.ts';
import { startNeighbour } from '../../testing/issuer.fixture.ts';
import type { Channel } from '../port/channel.ts';
import { contextFor, messageTo, soon } from '../testing/messages.fixture.ts';
import { type ProviderReport, readProviderCallback } from './provider-callback.ts';
import { simulatedKind } from './simulated.channel.ts';

const callbackSecret = Buffer.alloc(32, 3).toString('base64');
const leg = (attemptId: string) => ({ attemptId, reference: '' });
const anna = '+33612345678';

const test = base
  .extend('running', { scope: 'file' }, () => startPhoneCompany({ callbackSecret }))
  .extend('oneCompany', { scope: 'file' }, ({ running }, { onCleanup }) => {
    onCleanup(running.stop);
    return running;
  })
  .extend('company', async ({ oneCompany }) => {
    await oneCompany.reset();
    return oneCompany;
  })
  .extend('open', ({ company }, { onCleanup }) => {
    const opened: Channel[] = [];
    onCleanup(() => {
      for (const channel of opened) void channel.close?.();
    });
    return (medium: MediumKind = 'Voice') => {
      const channel = simulatedKind.create({ url: company.url }, contextFor(medium));
      opened.push(channel);
      return channel;
    };
  })
  .extend('reports', (): (ProviderReport | string)[] => [])
  .extend('callbacks', async ({ reports }, { onCleanup }) => {
    const server = await startNeighbour(() => async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const read = readProviderCallback({ headers: request.headers, body, now: new Date() }, [
        callbackSecret,
      ]);
      reports.push(read.kind === 'report' ? read.report : read.reason);
      response.end();
    });
    onCleanup(server.close);
    return { url: server.url, reports };
  });

test('an order is accepted, and recorded with our attempt id and the time of the company', async ({
  company,
  open,
}) => {
  const message = messageTo(anna);
  const outcome = await open().place(message, soon());
  expect(outcome).toEqual({ kind: 'accepted', reference: expect.stringMatching(/^PC/) });
  const [line] = await company.log();
  expect(line).toMatchObject({ event: 'accepted', folder: 'calls', attemptId: message.attemptId, to: anna });
  expect(Math.abs(Date.parse(line?.at ?? '') - Date.now())).toBeLessThan(10_000);
});

test.for([
  ['Voice', 'calls'],
  ['Sms', 'messages'],
  ['Pager', 'messages'],
  ['Push', 'pushes'],
] as const)('a message by %s is one of the %s', async ([medium, folder], { company, open }) => {
  await open(medium).place(messageTo(anna), soon());
  expect(await company.log()).toMatchObject([{ event: 'accepted', folder }]);
});

test('a person who answers and presses the code acknowledges, and the call-back reports it', async ({
  company,
  open,
  callbacks,
}) => {
  await company.script(anna, { kind: 'answers', afterMs: 10, press: 'code' });
  const channel = open();
  const message = messageTo(anna, { callbackUrl: `${callbacks.url}/back` });
  await channel.place(message, soon());
  await company.until(({ event }) => event === 'called-back', { count: 4 });
  expect(
    callbacks.reports.map((report) => (typeof report === 'string' ? report : report.outcome.kind)).toSorted(),
  ).toEqual(['acknowledged', 'answered', 'ended', 'ringing']);
  expect(callbacks.reports).toContainEqual(
    expect.objectContaining({
      attemptId: message.attemptId,
      outcome: expect.objectContaining({ kind: 'answered' }),
    }),
  );
  const acknowledged = { kind: 'acknowledged', code: '482913', reference: expect.stringMatching(/^PC/) };
  expect(callbacks.reports).toContainEqual(expect.objectContaining({ outcome: acknowledged }));
  const isOver = { ...acknowledged, isOver: true };
  expect(await channel.query?.(leg(message.attemptId), soon())).toEqual(isOver);
});

test('a person who replies with the code acknowledges, from their own number', async ({
  company,
  open,
  callbacks,
}) => {
  await company.script(anna, { kind: 'receives', afterMs: 10, reply: 'OK {code}' });
  await open('Sms').place(messageTo(anna, { callbackUrl: callbacks.url }), soon());
  await company.until(({ event }) => event === 'called-back', { count: 2 });
  expect(callbacks.reports).toContainEqual(
    expect.objectContaining({
      from: anna,
      outcome: expect.objectContaining({ kind: 'acknowledged', code: '482913' }),
    }),
  );
});

test.for([
  { behaviour: { kind: 'silent', ringMs: 10 }, outcome: 'noAnswer', reports: 2 },
  { behaviour: { kind: 'refuses', afterMs: 10 }, outcome: 'refused', reports: 2 },
  { behaviour: { kind: 'busy' }, outcome: 'busy', reports: 1 },
  { behaviour: { kind: 'answers', afterMs: 10 }, outcome: 'ended', reports: 3 },
  { behaviour: { kind: 'voicemail', afterMs: 10, press: '1' }, outcome: 'ended', reports: 4 },
] as const)(
  'a phone that is $behaviour.kind ends in $outcome',
  async ({ behaviour, outcome, reports }, { company, open, callbacks }) => {
    await company.script(anna, behaviour);
    const channel = open();
    const message = messageTo(anna, { callbackUrl: callbacks.url });
    await channel.place(message, soon());
    await company.until(({ event }) => event === 'called-back', { count: reports });
    const { attemptId } = message;
    expect(callbacks.reports).toContainEqual(
      expect.objectContaining({ attemptId, outcome: expect.objectContaining({ kind: outcome }) }),
    );
    const known = await channel.query?.(leg(attemptId), soon());
    expect(known).toMatchObject(behaviour.kind === 'voicemail' ? { isOver: true } : { kind: outcome });
  },
);

test('a company that lies reports delivered, and nothing arrives', async ({ company, open, callbacks }) => {
  await company.script(anna, { kind: 'lies', afterMs: 10 });
  await open('Sms').place(messageTo(anna, { callbackUrl: callbacks.url }), soon());
  await company.until(({ event }) => event === 'called-back');
  expect(callbacks.reports).toMatchObject([{ outcome: { kind: 'delivered' } }]);
  expect((await company.log()).map(({ event }) => event)).not.toContain('arrived');
});

test('a company that accepts the order and hangs leaves it unknown, and can be queried', async ({
  company,
  open,
}) => {
  await company.script(anna, { kind: 'hangs' });
  const channel = open();
  const message = messageTo(anna);
  expect(await channel.place(message, AbortSignal.timeout(200))).toMatchObject({ kind: 'unknown' });
  expect(await channel.query?.(leg(message.attemptId), soon())).toMatchObject({ kind: 'accepted' });
  expect(await channel.query?.(leg('never-sent'), soon())).toBeUndefined();
});

test('a company that forgets orders cannot be queried', async ({ company, open }) => {
  const channel = open();
  const message = messageTo(anna);
  await channel.place(message, soon());
  await company.faults({ forgetful: true });
  expect(await channel.query?.(leg(message.attemptId), soon())).toBeUndefined();
});

test.for([500, 503, 429])(
  'a company that answers %s has taken nothing, and is down',
  async (status, { company, open }) => {
    await company.faults({ status, retryAfterSeconds: 9 });
    const channel = open();
    const message = messageTo(anna);
    expect(await channel.place(message, soon())).toEqual({
      kind: 'failed',
      permanent: false,
      blame: 'channel',
      reason: `HTTP ${status}`,
      retryAfterSeconds: 9,
    });
    expect(await channel.check(soon())).toEqual({ works: false, reason: `HTTP ${status}` });
    expect(await company.log()).toMatchObject([
      { event: 'declined', attemptId: message.attemptId, detail: String(status) },
    ]);
    await company.faults({});
    expect(await channel.check(soon())).toEqual({ works: true });
    expect(await channel.place(message, soon())).toMatchObject({ kind: 'accepted' });
  },
);

test('a fault can last for a number of orders only', async ({ company, open }) => {
  await company.faults({ status: 500, times: 2 });
  const channel = open();
  const kinds = [];
  for (let n = 0; n < 3; n += 1) kinds.push((await channel.place(messageTo(anna), soon())).kind);
  expect(kinds).toEqual(['failed', 'failed', 'accepted']);
});

test('a phone goes through its script, and stays with the last', async ({ company, open }) => {
  await company.script(anna, [
    { kind: 'errors', status: 500 },
    { kind: 'errors', status: 404 },
    { kind: 'accepts' },
  ]);
  const channel = open();
  const outcomes = [];
  for (let n = 0; n < 4; n += 1) outcomes.push(await channel.place(messageTo(anna), soon()));
  expect(outcomes).toMatchObject([
    { kind: 'failed', permanent: false },
    { kind: 'failed', permanent: true, blame: 'recipient' },
    { kind: 'accepted' },
    { kind: 'accepted' },
  ]);
});

test('a slow company is waited for', async ({ company, open }) => {
  await company.script(anna, { kind: 'slow', delayMs: 300, next: { kind: 'accepts' } });
  expect(await open().place(messageTo(anna), soon())).toMatchObject({ kind: 'accepted' });
});

test('a company that can recognises an order it has taken, and rings once', async ({ company, open }) => {
  await company.script(anna, { kind: 'silent', ringMs: 5_000 });
  const channel = open();
  const message = messageTo(anna);
  await company.idempotent(true);
  const first = await channel.place(message, soon());
  expect(await channel.place(message, soon())).toEqual(first);
  await company.idempotent(false);
  expect(await channel.place(message, soon())).not.toEqual(first);
  const events = (await company.log()).map(({ event }) => event);
  expect(events.slice(0, 5)).toEqual(['accepted', 'arrived', 'repeated', 'collision', 'accepted']);
});

test('a call that is no longer needed is hung up, and is not answered then', async ({ company, open }) => {
  await company.script(anna, { kind: 'answers', afterMs: 300, press: 'code' });
  const channel = open();
  const message = messageTo(anna);
  await channel.place(message, soon());
  await channel.hangUp?.(leg(message.attemptId), soon());
  await channel.hangUp?.(leg('never-sent'), soon());
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect((await company.log()).map(({ event }) => event)).toEqual(['accepted', 'hung-up']);
});

test('call-backs can get lost, or come twice', async ({ company, open, callbacks }) => {
  await company.script(anna, { kind: 'busy' });
  await company.faults({ doubleCallbacks: true });
  await open().place(messageTo(anna, { callbackUrl: callbacks.url }), soon());
  await company.until(({ event }) => event === 'called-back', { count: 2 });
  await company.faults({ loseCallbacks: true });
  await open().place(messageTo(anna, { callbackUrl: callbacks.url }), soon());
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(callbacks.reports).toHaveLength(2);
});

test('orders for numbers without a script are reported', async ({ company, open }) => {
  await company.script(anna, { kind: 'accepts' });
  const channel = open();
  await channel.place(messageTo(anna), soon());
  expect(await company.unexpected()).toEqual([]);
  await channel.place(messageTo('+33700000000'), soon());
  expect(await company.unexpected()).toMatchObject([{ to: '+33700000000' }]);
});

test('two thousand orders are taken in a few seconds, each once', async ({ company, open }) => {
  const channel = open('Sms');
  const messages = Array.from({ length: 2_000 }, (_, n) =>
    messageTo(`+336${n}`, { attemptId: `flood-${n}` }),
  );
  const start = performance.now();
  const waiting = messages.values();
  const work = async () => {
    for (const message of waiting)
      expect(await channel.place(message, AbortSignal.timeout(20_000))).toMatchObject({ kind: 'accepted' });
  };
  await Promise.all(Array.from({ length: 64 }, work));
  expect(performance.now() - start).toBeLessThan(20_000);
  const taken = (await company.log()).map(({ attemptId }) => attemptId);
  expect(taken).toHaveLength(2_000);
  expect(new Set(taken).size).toBe(2_000);
});

test('if the company is down, nothing was sent', async () => {
  const company = await startPhoneCompany();
  await company.stop();
  const channel = simulatedKind.create({ url: company.url }, contextFor('Voice'));
  expect(await channel.place(messageTo(anna), soon())).toMatchObject({
    kind: 'failed',
    permanent: false,
    blame: 'channel',
  });
  expect(await channel.check(soon())).toMatchObject({ works: false });
  expect(await channel.query?.(leg('attempt'), soon())).toMatchObject({ kind: 'unknown' });
});
