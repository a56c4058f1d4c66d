import { pino } from 'pino';
import { test as base, expect } from 'vitest';
import { startMailServer } from '../../../../../acceptance/harness/mail/mail-server.ts';
import {
  type MailFaults,
  makeMailIdentity,
  startSmallMailServer,
} from '../../../../../acceptance/harness/mail/small-mail-server.ts';
import type { Channel, ChannelContext } from '../port/channel.ts';
import { contextFor, messageTo, soon } from '../testing/messages.fixture.ts';
import { emailKind } from './email.channel.ts';

const from = 'alarm@tocsin.example';

const test = base
  .extend('opened', (): Channel[] => [])
  .extend('open', ({ opened }, { onCleanup }) => {
    onCleanup(() => {
      for (const channel of opened) void channel.close?.();
    });
    return (settings: object, context: ChannelContext = contextFor('Email')): Channel => {
      const channel = emailKind.create({ host: '127.0.0.1', security: 'none', from, ...settings }, context);
      opened.push(channel);
      return channel;
    };
  });

const onServer = test
  .extend('running', { scope: 'file' }, () => startMailServer())
  .extend('server', { scope: 'file' }, ({ running }, { onCleanup }) => {
    onCleanup(running.stop);
    return running;
  });

const headersOf = (mail: string) => mail.slice(0, mail.indexOf('\n\n')).replace(/\n[ \t]+/g, ' ');

onServer('a guard gets a mail with the text, the link and the code', async ({ server, open }) => {
  const message = messageTo('anna@plant.example', {
    attemptId: 'attempt-7',
    text: 'Überlauf <Becken 3> & more',
  });
  const outcome = await open({ port: server.port, fromName: 'Valmont Wasser' }).place(message, soon());
  expect(outcome).toEqual({ kind: 'accepted', reference: '<attempt-7@tocsin.example>' });

  const [mail = ''] = await server.mailsFor('anna');
  const headers = headersOf(mail);
  expect(headers).toContain('Message-ID: <attempt-7@tocsin.example>');
  expect(headers).toContain('Subject: Pump 3 fails');
  expect(headers).toContain('From: Valmont Wasser <alarm@tocsin.example>');
  expect(headers).toContain('To: anna@plant.example');
  expect(headers).toContain('Auto-Submitted: auto-generated');
  expect(headers).toContain('List-ID: <alarms.tocsin.example>');
  const plain = mail.replace(/=\n/g, '').replaceAll('=3D', '=');
  expect(plain).toContain('=C3=9Cberlauf <Becken 3> & more');
  expect(plain).toContain('=C3=9Cberlauf &lt;Becken 3&gt; &amp; more');
  expect(plain).toContain(
    'To take the alarm, or to confirm only that you got this:\nhttps://tocsin.plant.example/answer?token=a.b&c=d',
  );
  expect(plain).toContain('<a href="https://tocsin.plant.example/answer?token=a.b&amp;c=d">');
  expect(plain).toContain('Code: 482913');
});

onServer(
  'several alarms in one message are listed, with those for which there is no room',
  async ({ server, open }) => {
    const alarms = [1, 2].map((id) => ({
      id,
      attemptId: `a${id}`,
      priority: 1,
      message: `Pump ${id} fails`,
      audio: '',
    }));
    const message = messageTo('bundle@plant.example', { alarms, alarmCount: 12 });
    await open({ port: server.port }).place(message, soon());
    const [mail = ''] = await server.mailsFor('bundle');
    expect(mail).toContain('- Pump 1 fails\n- Pump 2 fails\n- and 10 more');
  },
);

onServer(
  'a document of the media library is attached, and a missing one does not stop the mail',
  async ({ server, open }) => {
    const readMedia: ChannelContext['readMedia'] = async (name) =>
      name === 'plan.txt' ? { contentType: 'text/plain', content: Buffer.from('shut valve 4') } : undefined;
    const channel = open({ port: server.port }, contextFor('Email', { readMedia }));
    await channel.place(messageTo('file@plant.example', { file: 'plan.txt' }), soon());
    await channel.place(messageTo('file@plant.example', { file: 'gone.txt' }), soon());
    const mails = await server.mailsFor('file', 2);
    const attached = mails.filter((mail) => mail.includes('filename=plan.txt'));
    expect(attached).toHaveLength(1);
    expect(attached[0]).toContain(Buffer.from('shut valve 4').toString('base64'));
  },
);

onServer('nothing that an alarm says becomes a header, a mail or a command', async ({ server, open }) => {
  const message = messageTo('inject@plant.example', {
    subject: 'Pump 3\r\nBcc: victim@plant.example\r\n\r\nfake body',
    text: 'one\r\n.\r\nMAIL FROM:<x@plant.example>\r\nRCPT TO:<victim@plant.example>\r\nDATA\r\nforged\r\n.\r\n',
    attemptId: 'a>\r\nX-Evil: 1',
    language: '"><script>',
  });
  const outcome = await open({ port: server.port, fromName: 'Plant\r\nX-Evil: 2' }).place(message, soon());
  expect(outcome.kind).toBe('accepted');
  const mails = await server.mailsFor('inject');
  expect(mails).toHaveLength(1);
  expect(headersOf(mails[0] ?? '')).not.toMatch(/^(Bcc|X-Evil)/im);
  expect(headersOf(mails[0] ?? '')).toContain('Subject: Pump 3 Bcc: victim@plant.example fake body');
  expect(mails[0]).not.toContain('<script>');
  await open({ port: server.port }).place(messageTo('last@plant.example'), soon());
  await server.mailsFor('last');
  expect(await server.mailsFor('victim', 0)).toEqual([]);
});

onServer('somebody whom the mail server does not know is not tried again', async ({ server, open }) => {
  const outcome = await open({ port: server.port }).place(messageTo('nobody.here@plant.example'), soon());
  expect(outcome).toMatchObject({ kind: 'failed', permanent: true, blame: 'recipient' });
});

onServer('a hundred mails go out over a few connections, each once', async ({ server, open }) => {
  const channel = open({ port: server.port, connections: 3 });
  const sends = Array.from({ length: 100 }, () => channel.place(messageTo('storm@plant.example'), soon()));
  const outcomes = await Promise.all(sends);
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
  const mails = await server.mailsFor('storm', 100);
  const ids = mails.map((mail) => /Message-ID: (\S+)/.exec(mail)?.[1]);
  expect(new Set(ids).size).toBe(100);
});

const withIdentity = test.extend('identity', { scope: 'file' }, () => makeMailIdentity());
const login = { user: 'alarm', password: 'a mail server in the plant' };

withIdentity(
  'over STARTTLS, with a log-in and the authority of the plant',
  async ({ identity, open, onTestFinished }) => {
    const server = await startSmallMailServer({ identity, login });
    onTestFinished(server.stop);
    for (const host of ['127.0.0.1', 'localhost']) {
      const settings = {
        host,
        port: server.port,
        security: 'starttls',
        certificate: identity.cert,
        ...login,
      };
      const channel = open(settings);
      expect(await channel.check(soon())).toEqual({ works: true });
      expect(await channel.place(messageTo('anna@plant.example'), soon())).toMatchObject({
        kind: 'accepted',
      });
    }
    expect(server.mails).toHaveLength(2);
    expect(new Set(server.overheard.map((line) => line.slice(0, 8)))).toEqual(
      new Set(['EHLO [12', 'STARTTLS']),
    );
  },
);

withIdentity(
  'a mail server without a trusted certificate gets nothing, not even the password',
  async ({ identity, open, onTestFinished }) => {
    const server = await startSmallMailServer({ identity, login });
    onTestFinished(server.stop);
    const channel = open({ port: server.port, security: 'starttls', ...login });
    const reason = 'its certificate is signed by nobody whom this server trusts';
    expect(await channel.check(soon())).toMatchObject({ works: false, reason });
    const outcome = await channel.place(messageTo('anna@plant.example'), soon());
    expect(outcome).toMatchObject({ kind: 'failed', permanent: false, blame: 'channel', reason });
    expect(server.mails).toEqual([]);
  },
);

test('a mail server that does not encrypt gets nothing, where encryption is wanted', async ({
  open,
  onTestFinished,
}) => {
  const server = await startSmallMailServer();
  onTestFinished(server.stop);
  const channel = open({ port: server.port, security: 'starttls', ...login });
  const outcome = await channel.place(messageTo('anna@plant.example'), soon());
  expect(outcome).toMatchObject({ kind: 'failed', permanent: false, blame: 'channel' });
  expect(server.overheard.join()).not.toContain('AUTH');
  expect(server.mails).toEqual([]);
});

withIdentity(
  'a wrong password is a fault of the channel, not of the recipient',
  async ({ identity, open, onTestFinished }) => {
    const server = await startSmallMailServer({ identity, login });
    onTestFinished(server.stop);
    const settings = { port: server.port, security: 'starttls', certificate: identity.cert };
    const channel = open({ ...settings, user: 'alarm', password: 'wrong' });
    const outcome = await channel.place(messageTo('anna@plant.example'), soon());
    const reason = 'the mail server refused the log-in (535)';
    expect(outcome).toMatchObject({ kind: 'failed', permanent: false, blame: 'channel', reason });
    expect(await channel.check(soon())).toEqual({ works: false, reason });
  },
);

test.for([
  [{ greeting: '421 4.3.2 busy' }, 'the mail server refused the connection (421 4.3.2)'],
  [{ MAIL: '550 not you' }, 'the mail server refused the sender (550)'],
  [
    { RCPT: '550 5.1.1 <anna@plant.example> is not in ldap.plant.example' },
    'the mail server refused the recipient (550 5.1.1)',
  ],
  [{ DATA: '451-4.3.0 disk full\r\n451 4.3.0 later' }, 'the mail server refused the mail (451 4.3.0)'],
  [{ content: '552 5.3.4 too large' }, 'the mail server refused the mail (552 5.3.4)'],
  [{ greeting: '5.7.44-database' }, 'nothing answers there as it should: check address, port and encryption'],
] as [MailFaults, string][])(
  'of the reply %j the tenant gets the codes, and only the operator gets the text',
  async ([faults, reason], { open, onTestFinished }) => {
    const server = await startSmallMailServer({ faults });
    onTestFinished(server.stop);
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const channel = open({ port: server.port }, contextFor('Email', { log }));
    const outcome = await channel.place(messageTo('anna@plant.example'), soon());
    expect(outcome).toMatchObject({ kind: 'failed', reason });
    const words = Object.values(faults).join().split(/[\r ]/).at(-1) ?? '';
    expect(lines).toEqual([expect.stringContaining(words)]);
    expect(lines[0]).not.toContain('anna@');
  },
);

test.for([
  { faults: { greeting: '421 too busy' }, outcome: { kind: 'failed', permanent: false, blame: 'channel' } },
  { faults: { MAIL: '550 not you' }, outcome: { kind: 'failed', permanent: false, blame: 'channel' } },
  { faults: { RCPT: '450 greylisted' }, outcome: { kind: 'failed', permanent: false, blame: 'recipient' } },
  { faults: { RCPT: '550 no such user' }, outcome: { kind: 'failed', permanent: true, blame: 'recipient' } },
  { faults: { DATA: '451 disk full' }, outcome: { kind: 'failed', permanent: false, blame: 'channel' } },
  { faults: { content: '552 too large' }, outcome: { kind: 'failed', permanent: false, blame: 'channel' } },
  { faults: { content: 'hang' }, outcome: { kind: 'unknown' } },
  { faults: { content: 'drop' }, outcome: { kind: 'unknown' } },
] as { faults: MailFaults; outcome: object }[])(
  'the outcome of a mail server with $faults',
  async ({ faults, outcome }, { open, onTestFinished }) => {
    const server = await startSmallMailServer({ faults });
    onTestFinished(server.stop);
    const channel = open({ port: server.port });
    expect(await channel.place(messageTo('anna@plant.example'), AbortSignal.timeout(1_500))).toMatchObject(
      outcome,
    );
    const taken = 'content' in faults;
    expect(server.mails.length > 0).toBe(taken);
  },
);

test('an aborted mail is not sent late', async ({ open, onTestFinished }) => {
  const server = await startSmallMailServer({ faults: { greeting: 'later 220 small.example' } });
  onTestFinished(server.stop);
  const channel = open({ port: server.port });
  const outcome = await channel.place(messageTo('anna@plant.example'), AbortSignal.timeout(200));
  expect(outcome).toMatchObject({ kind: 'failed', permanent: false, reason: 'no answer in time' });
  expect(await channel.place(messageTo('bert@plant.example'), soon())).toMatchObject({ kind: 'accepted' });
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]).toContain('To: bert@plant.example');
});

test('without a mail server the outcome is a failure, not unknown', async ({ open }) => {
  const channel = open({ port: 1 });
  expect(await channel.place(messageTo('anna@plant.example'), soon())).toMatchObject({
    kind: 'failed',
    permanent: false,
    blame: 'channel',
  });
  expect(await channel.check(soon())).toMatchObject({ works: false });
});

test('a mail server inside the machine is not reached unless the installation allows it', async ({
  open,
  onTestFinished,
}) => {
  const server = await startSmallMailServer();
  onTestFinished(server.stop);
  const channel = open({ port: server.port }, contextFor('Email', { allow: [] }));
  expect(await channel.place(messageTo('anna@plant.example'), soon())).toMatchObject({
    kind: 'failed',
    reason: expect.stringContaining('EGRESS_ALLOW'),
  });
  expect(server.mails).toEqual([]);
});

test.for([
  'anna@plant.example, eve@evil.example',
  'anna@plant.example;eve@evil.example',
  'Anna <anna@plant.example>',
  'anna@plant.example\r\nRCPT TO:<eve@evil.example>',
  '<anna@plant.example>',
  '"a b"@plant.example',
  '@evil.example:anna@plant.example',
  'anna',
  '',
])('"%s" is not one mail address, and no mail goes out', async (address, { open, onTestFinished }) => {
  const server = await startSmallMailServer();
  onTestFinished(server.stop);
  const outcome = await open({ port: server.port }).place(messageTo(address), soon());
  expect(outcome).toMatchObject({ kind: 'failed', permanent: true, blame: 'recipient' });
  expect(server.mails).toEqual([]);
});
