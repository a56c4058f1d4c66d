import { describe } from 'vitest';
import { startSippPhone } from '../../../../../acceptance/harness/sip/sipp-phone.ts';
import type { SippBehaviour } from '../../../../../acceptance/harness/sip/sipp-scenario.ts';
import { test } from './testing/calls.fixture.ts';

const rejecting: [string, object][] = [
  ['486 Busy Here', { kind: 'busy' }],
  ['600 Busy Everywhere', { kind: 'busy' }],
  ['603 Decline', { kind: 'refused' }],
  ['403 Forbidden', { kind: 'refused' }],
  ['480 Temporarily Unavailable', { kind: 'noAnswer' }],
  ['404 Not Found', { kind: 'failed', permanent: true, blame: 'recipient' }],
  ['503 Service Unavailable', { kind: 'failed', permanent: false, blame: 'channel' }],
  ['488 Not Acceptable Here', { kind: 'failed', permanent: false, blame: 'channel' }],
];

describe.concurrent('calls that nobody takes', () => {
  test.for(rejecting)(
    'a phone that rings and then answers %s',
    async ([status, expected], { telephone, expect, onTestFinished }) => {
      const phone = await startSippPhone({ kind: 'rejects', status });
      onTestFinished(phone.stop);
      const call = await telephone.call(telephone.channel({ port: phone.port }));
      expect(call.placed.kind).toBe('accepted');
      await expect.poll(call.kinds).toHaveLength(2);
      expect(call.reports[0]).toMatchObject({ kind: 'ringing' });
      expect(call.reports[1]).toMatchObject(expected);
      await expect.poll(telephone.running).toEqual([]);
    },
  );

  test('a trunk that refuses before ringing is told at once, without reports', async ({
    telephone,
    expect,
    onTestFinished,
  }) => {
    const phone = await startSippPhone({ kind: 'rejects', status: '403 Forbidden', rings: false });
    onTestFinished(phone.stop);
    const call = await telephone.call(telephone.channel({ port: phone.port }));
    expect(call.placed).toMatchObject({ kind: 'failed', permanent: false, blame: 'channel' });
    expect(call.reports).toEqual([]);
  });

  test('a phone that rings for ever is cancelled, and nobody has answered', async ({
    telephone,
    expect,
    onTestFinished,
  }) => {
    const phone = await startSippPhone({ kind: 'rings for ever' });
    onTestFinished(phone.stop);
    const call = await telephone.call(telephone.channel({ port: phone.port, ringSeconds: 1 }));
    await expect.poll(call.kinds).toEqual(['ringing', 'noAnswer']);
    await expect.poll(phone.messages).toMatch(/\nCANCEL [^]*\nSIP\/2.0 487 [^]*\nACK /);
    await expect.poll(telephone.running).toEqual([]);
  });

  test('a ringing phone stops ringing when the call is withdrawn', async ({
    telephone,
    expect,
    onTestFinished,
  }) => {
    const phone = await startSippPhone({ kind: 'rings for ever' });
    onTestFinished(phone.stop);
    const channel = telephone.channel({ port: phone.port });
    const call = await telephone.call(channel);
    await expect.poll(call.kinds).toEqual(['ringing']);
    const leg = { attemptId: call.attemptId, reference: '' };
    expect(await channel.query?.(leg, AbortSignal.timeout(1_000))).toMatchObject({ kind: 'ringing' });
    await channel.hangUp?.(leg, AbortSignal.timeout(1_000), { kind: 'over' });
    await expect.poll(call.kinds).toEqual(['ringing', 'ended']);
    await expect.poll(phone.messages).toMatch(/\nCANCEL /);
    expect(await channel.query?.(leg, AbortSignal.timeout(1_000))).toBeUndefined();
  });

  test('a trunk that says nothing is given up after five seconds, and hears no more of the call', async ({
    telephone,
    expect,
    onTestFinished,
  }) => {
    const phone = await startSippPhone({ kind: 'is silent' });
    onTestFinished(phone.stop);
    const started = performance.now();
    const call = await telephone.call(telephone.channel({ port: phone.port }));
    expect(call.placed).toMatchObject({ kind: 'failed', permanent: false, blame: 'channel' });
    expect(performance.now() - started).toBeGreaterThan(4_900);
    await expect.poll(telephone.running).toEqual([]);
    const invites = async () => (await phone.messages()).match(/\nINVITE /g)?.length ?? 0;
    const before = await invites();
    expect(before).toBeGreaterThan(1);
    // baresip would repeat it within four seconds.
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    expect(await invites()).toBe(before);
  });

  test('a trunk that refuses TCP connections is known to be down at once', async ({ telephone, expect }) => {
    const started = performance.now();
    const call = await telephone.call(telephone.channel({ port: 9, transport: 'tcp' }));
    expect(call.placed).toMatchObject({ kind: 'failed', blame: 'channel' });
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});

describe.concurrent('calls that are answered', () => {
  const takes: [string, SippBehaviour][] = [
    ['keys in the voice (RFC 4733)', { kind: 'answers', keys: '1', by: 'rtp' }],
    ['keys in the signalling (SIP INFO)', { kind: 'answers', keys: '1', by: 'info' }],
  ];
  test.for(takes)(
    'a phone that sends %s takes the alarm',
    async ([, behaviour], { telephone, expect, onTestFinished }) => {
      const phone = await startSippPhone(behaviour);
      onTestFinished(phone.stop);
      const call = await telephone.call(telephone.channel({ port: phone.port }));
      await expect.poll(call.kinds).toEqual(['ringing', 'answered', 'pressed', 'ended']);
      expect(call.reports[2]).toMatchObject({ choice: 'take' });
      await expect.poll(phone.messages).toMatch(/\nBYE /);
    },
  );

  test('a phone network that takes long to ring is not given up, because the trunk has answered', async ({
    telephone,
    expect,
    onTestFinished,
  }) => {
    const phone = await startSippPhone({ kind: 'rings late', afterMs: 6_000 });
    onTestFinished(phone.stop);
    const started = performance.now();
    const channel = telephone.channel({ port: phone.port });
    const call = await telephone.call(channel);
    expect(call.placed.kind).toBe('accepted');
    expect(performance.now() - started).toBeLessThan(4_000);
    await expect.poll(call.kinds).toEqual(['ringing', 'answered']);
  });

  test('the password of the trunk is used when it is asked for', async ({
    telephone,
    expect,
    onTestFinished,
  }) => {
    const phone = await startSippPhone({ kind: 'asks for a password', user: 'plant', password: 'se/same=1' });
    onTestFinished(phone.stop);
    const settings = { port: phone.port, user: 'plant', password: 'se/same=1' };
    const call = await telephone.call(telephone.channel(settings));
    await expect.poll(call.kinds).toEqual(['ringing', 'answered']);
    const wrong = await telephone.call(telephone.channel({ ...settings, password: 'open' }));
    expect(wrong.placed).toMatchObject({ kind: 'failed', blame: 'channel' });
  });

  test('a trunk is checked by a log-in where it asks for one', async ({
    telephone,
    expect,
    onTestFinished,
  }) => {
    const phone = await startSippPhone({ kind: 'registers', user: 'plant', password: 'sesame' });
    onTestFinished(phone.stop);
    const settings = { port: phone.port, user: 'plant', password: 'sesame', registers: true };
    const soon = () => AbortSignal.timeout(6_000);
    expect(await telephone.channel(settings).check(soon())).toEqual({ works: true });
    expect(await telephone.channel({ ...settings, password: 'open' }).check(soon())).toMatchObject({
      works: false,
    });
    await expect.poll(telephone.running).toEqual([]);
  });
});
