import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from 'vitest';
import { startExchange } from '../../../../../acceptance/harness/sip/exchange.ts';
import { startPhone } from '../../../../../acceptance/harness/sip/phone.ts';
import type { ChannelOutcome } from '../port/outcome.ts';
import { correlation } from '../speech/testing/correlation.fixture.ts';
import { runSox, speakingPlant } from '../speech/testing/speech.fixture.ts';
import { contextFor, messageTo, soon } from '../testing/messages.fixture.ts';
import { sipKind } from './sip.channel.ts';
import { test } from './testing/calls.fixture.ts';

describe.concurrent('a call', () => {
  test('a person picks up, presses 1, hears the thanks, and the call ends', async ({
    telephone,
    expect,
    onTestFinished,
  }) => {
    const phone = await startPhone({ number: '+33123' });
    onTestFinished(phone.stop);
    const channel = telephone.channel({ port: phone.port });
    const call = await telephone.call(channel);
    expect(call.placed).toEqual({ kind: 'accepted', reference: expect.stringMatching(/^sip-/) as string });
    await phone.until('CALL_ESTABLISHED');
    expect(channel.capacity?.()).toEqual({ lines: 2, inUse: 1 });
    await sleep(1_500);
    await phone.press('1');
    await expect.poll(call.kinds).toEqual(['ringing', 'answered', 'pressed', 'ended']);
    expect(call.reports[2]).toMatchObject({
      choice: 'take',
      heard: [call.attemptId],
      proof: { kind: 'leg' },
    });
    expect(call.reports[3]).toMatchObject({ reason: '' });
    await expect.poll(telephone.running).toEqual([]);
    expect(channel.capacity?.()).toEqual({ lines: 2, inUse: 0 });
    await phone.until('CALL_CLOSED');
    const [heard = ''] = await phone.recordings();
    const [opening = ''] = telephone.speaker.said;
    const thanks = telephone.speaker.said.at(-1) ?? '';
    expect(opening).toContain('Pump 3 in the north hall has failed.');
    expect(thanks).toContain('You have taken the alarm.');
    for (const said of [opening, thanks])
      expect(await correlation(telephone.speaker.fileOf(said), heard)).toBeGreaterThan(0.9);
  });

  test('a choice that the server rejects is not thanked for', async ({
    telephone,
    expect,
    onTestFinished,
  }) => {
    const phone = await startPhone({ number: '+33123', keys: [{ key: '1', afterMs: 300 }] });
    onTestFinished(phone.stop);
    const judge = () => ({ judgement: 'late', takenBy: 'Ben' }) as const;
    const call = await telephone.call(telephone.channel({ port: phone.port }), { judge });
    await expect.poll(call.kinds).toContain('ended');
    expect(telephone.speaker.said.at(-1)).toContain('already taken by Ben');
  });

  test('a choice that the server cannot store is said not to be recorded', async ({
    telephone,
    expect,
    onTestFinished,
  }) => {
    const phone = await startPhone({ number: '+33123', keys: [{ key: '1', afterMs: 300 }] });
    onTestFinished(phone.stop);
    const judge = () => {
      throw new Error('no database');
    };
    const call = await telephone.call(telephone.channel({ port: phone.port }), { judge });
    await expect.poll(call.kinds).toContain('ended');
    expect(telephone.speaker.said.at(-1)).toContain('could not be recorded');
  });

  test('further alarms are told in the call', async ({ telephone, expect, onTestFinished }) => {
    const phone = await startPhone({ number: '+33123' });
    onTestFinished(phone.stop);
    const channel = telephone.channel({ port: phone.port });
    const call = await telephone.call(channel);
    const leg = { attemptId: call.attemptId, reference: '' };
    await phone.until('CALL_ESTABLISHED');
    const boiler = { id: 8, attemptId: 'second', priority: 1, message: 'The boiler is too hot.', audio: '' };
    expect(await channel.announce?.(leg, [boiler])).toBe(true);
    await sleep(2_500);
    await phone.press('3');
    await sleep(2_000);
    await phone.press('1');
    await expect.poll(call.kinds).toContain('ended');
    expect(call.reports.find(({ kind }) => kind === 'pressed')).toMatchObject({
      heard: [call.attemptId, 'second'],
    });
    expect(await channel.announce?.(leg, [boiler])).toBe(false);
  });

  test('the one who listens is told who has taken the alarm, and is hung up', async ({
    telephone,
    expect,
    onTestFinished,
  }) => {
    const phone = await startPhone({ number: '+33123' });
    onTestFinished(phone.stop);
    const channel = telephone.channel({ port: phone.port });
    const call = await telephone.call(channel);
    expect(call.placed).toMatchObject({ kind: 'accepted' });
    // Our side learns a moment later that somebody has picked up, and only then says anything.
    await phone.until('CALL_ESTABLISHED');
    await expect.poll(call.kinds).toContain('answered');
    const leg = { attemptId: call.attemptId, reference: '' };
    await channel.hangUp?.(leg, soon(), { kind: 'taken', by: 'Ben' });
    await expect.poll(() => telephone.speaker.said.join('\n')).toContain('taken by Ben');
    // The phone hears the whole sentence first, which takes longer on a busy machine.
    await phone.until('CALL_CLOSED');
    await expect.poll(call.kinds).toEqual(['ringing', 'answered', 'ended']);
  });

  test('the one who has just taken the alarm hears the thanks, although the call is withdrawn', async ({
    telephone,
    expect,
    onTestFinished,
  }) => {
    const phone = await startPhone({ number: '+33123', keys: [{ key: '1', afterMs: 300 }] });
    onTestFinished(phone.stop);
    const channel = telephone.channel({ port: phone.port });
    const message = messageTo('+33123');
    const kinds: string[] = [];
    await channel.place(message, soon(), async ({ kind }) => {
      kinds.push(kind);
      // The engine ends the calls of an alarm as soon as it is taken, before the judgement is back.
      if (kind === 'pressed')
        await channel.hangUp?.({ attemptId: message.attemptId, reference: '' }, soon(), {
          kind: 'taken',
          by: 'Ann',
        });
      return { judgement: 'accepted', takenBy: '' };
    });
    await expect.poll(() => kinds).toEqual(['ringing', 'answered', 'pressed', 'ended']);
    expect(telephone.speaker.said.join(' ')).toContain('You have taken the alarm.');
    expect(telephone.speaker.said.join(' ')).not.toContain('taken by Ann');
  });

  test('a call that waits for a line is no failure', async ({ telephone, expect, onTestFinished }) => {
    const phone = await startPhone({ number: '+33123', answersAfterMs: 'never' });
    onTestFinished(phone.stop);
    const channel = telephone.channel({ port: phone.port, lines: 1 });
    await telephone.call(channel);
    const second = await telephone.call(channel);
    expect(second.placed).toMatchObject({ kind: 'notNow', reason: 'all lines are in use' });
    await channel.close?.();
    await expect.poll(telephone.running).toEqual([]);
    await phone.until('CALL_CLOSED');
  });

  test('an address that is no number is never dialled', async ({ telephone, expect }) => {
    const call = await telephone.call(telephone.channel({ port: 9 }), { to: '1;transport=tcp' });
    expect(call.placed).toMatchObject({ kind: 'failed', permanent: true, blame: 'recipient' });
  });
});

describe.concurrent('the trunk', () => {
  test('an address that the operator does not allow is not called', async ({ telephone, expect }) => {
    const telephony = {
      speech: telephone.speaker,
      directory: telephone.folder,
      ports: { first: 16_000, last: 23_999 },
    };
    const context = { ...contextFor('Voice', { allow: [] }), telephony };
    const channel = sipKind.create({ host: '127.0.0.1' }, context);
    const reason = expect.stringContaining('EGRESS_ALLOW') as string;
    const placed = await channel.place(messageTo('+33123'), soon());
    expect(placed).toMatchObject({ kind: 'failed', blame: 'channel', reason });
    expect(await channel.check(soon())).toEqual({ works: false, reason });
  });

  test('a name is resolved and checked again at each call', async ({ telephone, expect, onTestFinished }) => {
    const phone = await startPhone({ number: '+33123' });
    onTestFinished(phone.stop);
    let answer = '127.0.0.1';
    const telephony = {
      speech: telephone.speaker,
      directory: telephone.folder,
      ports: { first: 16_000, last: 23_999 },
    };
    const context = {
      ...contextFor('Voice', {
        lookup: (_name, _options, done) => done(null, [{ address: answer, family: 4 }]),
      }),
      telephony,
    };
    const channel = sipKind.create({ host: 'pbx.plant.example', port: phone.port }, context);
    onTestFinished(async () => {
      await channel.close?.();
    });
    expect(await channel.place(messageTo('+33123'), soon())).toMatchObject({ kind: 'accepted' });
    answer = '10.1.2.3';
    expect(await channel.place(messageTo('+33123'), soon())).toMatchObject({
      kind: 'failed',
      blame: 'channel',
    });
  });

  test('a server without telephony says so', async ({ expect }) => {
    const channel = sipKind.create({ host: '127.0.0.1' }, contextFor('Voice'));
    expect(await channel.check(soon())).toMatchObject({ works: false });
    expect(await channel.place(messageTo('+33123'), soon())).toMatchObject({
      kind: 'failed',
      blame: 'channel',
    });
  });

  test('it works if it answers, and does not if nothing does', async ({
    telephone,
    expect,
    onTestFinished,
  }) => {
    const exchange = await startExchange();
    onTestFinished(exchange.stop);
    const phone = await startPhone({ number: '+33123' });
    onTestFinished(phone.stop);
    expect(await telephone.channel({ port: exchange.port }).check(soon())).toEqual({ works: true });
    expect(await telephone.channel({ port: phone.port, transport: 'tcp' }).check(soon())).toEqual({
      works: true,
    });
    const nothing = { works: false, reason: expect.any(String) as string };
    expect(await telephone.channel({ port: 9 }).check(soon())).toEqual(nothing);
    expect(await telephone.channel({ port: 9, transport: 'tcp' }).check(soon())).toEqual(nothing);
  });

  test.for(['udp', 'tcp'] as const)(
    'a check by %s that is late already ends at once',
    async (transport, { telephone, expect, onTestFinished }) => {
      // Accepts the connection and says nothing.
      const silent = await new Promise<Server>((resolve) => {
        const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
      });
      onTestFinished(() => void silent.close());
      const { port } = silent.address() as AddressInfo;
      const late = AbortSignal.abort();
      expect(await telephone.channel({ port, transport }).check(late)).toMatchObject({ works: false });
    },
  );

  test('TLS and SRTP carry a call, if the certificate is right', async ({
    telephone,
    expect,
    onTestFinished,
  }) => {
    const own = await certificateFor('127.0.0.1');
    const phone = await startPhone({
      number: '+33123',
      certificateFile: own.file,
      keys: [{ key: '1', afterMs: 800 }],
    });
    onTestFinished(phone.stop);
    const secure = { port: phone.tlsPort, transport: 'tls', mediaEncryption: 'srtp' } as const;
    const trusting = telephone.channel({ ...secure, certificate: own.certificate });
    expect(await trusting.check(soon())).toEqual({ works: true });
    const call = await telephone.call(trusting);
    await expect.poll(call.kinds).toEqual(['ringing', 'answered', 'pressed', 'ended']);
    expect(phone.events.find(({ type }) => type === 'CALL_MENC')?.param).toContain('AES_CM_128_HMAC_SHA1_80');
    const other = await certificateFor('127.0.0.1');
    const wary = telephone.channel({ ...secure, certificate: other.certificate });
    const reason = expect.stringContaining('signed by nobody') as string;
    expect(await wary.check(soon())).toEqual({ works: false, reason });
    expect((await telephone.call(wary)).placed).toMatchObject({ kind: 'failed', blame: 'channel', reason });
  });
});

/** A certificate of its own authority, with its key in one file as baresip wants it. */
async function certificateFor(address: string): Promise<{ file: string; certificate: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-certificate-'));
  const [key, certificate, file] = ['key.pem', 'certificate.pem', 'both.pem'].map((name) =>
    join(folder, name),
  );
  const names = ['-subj', '/CN=pbx', '-addext', `subjectAltName=IP:${address}`];
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ];
  execFileSync('openssl', [...made, '-keyout', key ?? '', '-out', certificate ?? '', ...names], {
    stdio: 'ignore',
  });
  const text = readFileSync(certificate ?? '', 'utf8');
  writeFileSync(file ?? '', readFileSync(key ?? '', 'utf8') + text);
  return { file: file ?? '', certificate: text };
}

test('each alarm of a call is played with its own recording, also one that joins the call', async ({
  expect,
  onTestFinished,
}) => {
  const { speech, folder } = speakingPlant();
  const sounds = { 'pump.wav': '300:900', 'boiler.wav': '1500:400', 'gate.wav': '700:1900' };
  const fileOf = (name: string) => join(folder, name);
  for (const [name, sweep] of Object.entries(sounds))
    await runSox('-n', '-r', '8000', '-b', '16', fileOf(name), 'synth', '1.5', 'sine', sweep, 'vol', '0.5');
  const readMedia = async (name: string) => ({
    contentType: 'audio/wav',
    content: readFileSync(fileOf(name)),
  });
  const phone = await startPhone({ number: '+33123' });
  onTestFinished(phone.stop);
  const telephony = { speech, directory: folder, ports: { first: 24_000, last: 24_999 } };
  const context = { ...contextFor('Voice', { readMedia }), telephony };
  const channel = sipKind.create({ host: '127.0.0.1', port: phone.port }, context);
  onTestFinished(() => channel.close?.());
  const alarmOf = (name: string) => ({ id: 1, attemptId: name, priority: 2, message: name, audio: name });
  const alarms = [alarmOf('pump.wav'), alarmOf('boiler.wav')];
  const message = messageTo('+33123', { alarms, alarmCount: 2 });
  const reports: ChannelOutcome[] = [];
  await channel.place(message, soon(), async (outcome) => {
    reports.push(outcome);
    return { judgement: 'accepted', takenBy: '' };
  });
  await phone.until('CALL_ESTABLISHED');
  const leg = { attemptId: message.attemptId, reference: '' };
  expect(await channel.announce?.(leg, [alarmOf('gate.wav')])).toBe(true);
  await sleep(9_000);
  await phone.press('3');
  await sleep(5_000);
  await phone.press('3');
  await sleep(5_000);
  await phone.press('1');
  await phone.until('CALL_CLOSED');
  expect(reports.find(({ kind }) => kind === 'pressed')).toMatchObject({ heard: Object.keys(sounds) });
  const [heard = ''] = await phone.recordings();
  for (const name of Object.keys(sounds))
    expect(await correlation(fileOf(name), heard), name).toBeGreaterThan(0.9);
}, 60_000);
