import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { test as base, expect } from 'vitest';
import { startMailServer } from '../../../../../acceptance/harness/mail/mail-server.ts';
import { mailboxLogin, startMailboxServer } from '../../../../../acceptance/harness/mail/mailbox-server.ts';
import {
  makeMailIdentity,
  startSmallMailServer,
} from '../../../../../acceptance/harness/mail/small-mail-server.ts';
import type { Channel, Incoming } from '../port/channel.ts';
import { contextFor, messageTo, soon } from '../testing/messages.fixture.ts';
import { emailKind } from './email.channel.ts';

/** OpenSMTPD and Dovecot change users, which only root may. */
const test = base
  .extend('started', { scope: 'file' }, () =>
    startSmallMailServer({ faults: { RCPT: '550 5.1.1 no such user here' } }),
  )
  .extend('far', { scope: 'file' }, ({ started }, { onCleanup }) => {
    onCleanup(started.stop);
    return started;
  })
  .extend('server', { scope: 'file' }, async ({ far }, { onCleanup }) => {
    const server = await startMailServer({ nextHop: far.port });
    onCleanup(server.stop);
    return server;
  })
  .extend('mailbox', { scope: 'file' }, async ({ server }, { onCleanup }) => {
    const mailbox = await startMailboxServer({ boxes: server.boxes });
    onCleanup(mailbox.stop);
    return mailbox;
  })
  .extend('plant', ({ server, mailbox }, { onCleanup }) => {
    const incoming: Incoming[] = [];
    const ends: (() => void)[] = [];
    onCleanup(() => {
      for (const end of ends) end();
    });
    const open = (
      settings: object = {},
      inbox = async (one: Incoming) => void incoming.push(one),
    ): Channel => {
      const channel = emailKind.create(
        { ...settingsFor(server.port, mailbox.port), ...settings },
        contextFor('Email', { signingKey: Buffer.alloc(32, 7), inbox }),
      );
      ends.push(() => void channel.close?.());
      return channel;
    };
    const listen = (channel: Channel) => {
      const end = new AbortController();
      ends.push(() => end.abort());
      const ended = channel.listen?.(end.signal) ?? Promise.reject(new Error('no replies'));
      ended.catch(() => undefined);
      return { ended, stop: () => end.abort() };
    };
    return { incoming, open, listen };
  });

const settingsFor = (port: number, imapPort: number) => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  from: 'alarm@plant.example',
  replyDomain: 'plant.example',
  imapHost: '127.0.0.1',
  imapPort,
  imapSecurity: 'none',
  imapUser: mailboxLogin.user,
  imapPassword: mailboxLogin.password,
});

type Mail = { from: string; to: string; text: string; headers?: Record<string, string> };

async function send(port: number, { from, to, ...mail }: Mail): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  await transport.sendMail({ from, to, subject: 'Re: Pump 3 fails', ...mail });
  transport.close();
}

const headerOf = (mail: string, name: string) =>
  new RegExp(`^${name}: <?([^>\n]+)>?$`, 'm').exec(mail.replace(/\n[ \t]+/g, ' '))?.[1] ?? '';

let people = 0;
/** Calls a person by mail and returns what they received. */
async function call(server: { mailsFor(name: string): Promise<string[]> }, channel: Channel) {
  const name = `person${(people += 1)}`;
  const address = `${name}@plant.example`;
  const attemptId = `0a1b2c3d4e5f-1-${people}`;
  expect(await channel.place(messageTo(address, { attemptId }), soon())).toMatchObject({ kind: 'accepted' });
  const [mail = ''] = await server.mailsFor(name);
  return { address, attemptId, mail, replyTo: headerOf(mail, 'Reply-To') };
}

test('a reply reaches the attempt at once, with the code on behalf of its address', async ({
  server,
  plant,
}) => {
  const channel = plant.open();
  plant.listen(channel);
  const { address, attemptId, mail, replyTo } = await call(server, channel);
  expect(replyTo).toMatch(/^ack\+.+@plant\.example$/);
  expect(headerOf(mail, 'Return-Path')).toMatch(/^bounce\+.+@plant\.example$/);
  expect(mail.replace(/=\n/g, '')).toContain('Reply 482913 to take the alarm');
  // The mailbox is idle by now: a mail is read when it arrives and not at the next poll.
  await sleep(300);
  const sent = performance.now();
  const text = 'ACK, on my way\n\nOn Mon, 16 Nov 2026 at 03:00, Alarm <alarm@plant.example> wrote:\n> Pump 3';
  await send(server.port, { from: address, to: replyTo, text });
  await expect
    .poll(() => plant.incoming)
    .toEqual([{ kind: 'reply', attemptId, from: address, text: '482913' }]);
  expect(performance.now() - sent).toBeLessThan(5_000);
});

test('a mail that the next mail server refuses comes back to its attempt', async ({ plant }) => {
  const channel = plant.open();
  plant.listen(channel);
  const attemptId = '0a1b2c3d4e5f-1-9001';
  const outcome = await channel.place(messageTo('gone@far.example', { attemptId }), soon());
  expect(outcome).toMatchObject({ kind: 'accepted' });
  await expect
    .poll(() => plant.incoming)
    .toEqual([
      {
        kind: 'outcome',
        attemptId,
        outcome: {
          kind: 'failed',
          permanent: true,
          blame: 'recipient',
          reason: expect.stringMatching(/^the mail came back \(5/),
        },
      },
    ]);
});

test('of several mails only the real answer is handed on', async ({ server, plant }) => {
  const channel = plant.open();
  const { address, attemptId, replyTo } = await call(server, channel);
  const reply = { from: address, to: replyTo, text: 'ok' };
  await send(server.port, { ...reply, headers: { 'Auto-Submitted': 'auto-replied' } });
  await send(server.port, { ...reply, to: replyTo.replace('482913', '482914') });
  await send(server.port, { ...reply, from: 'eve@plant.example' });
  plant.listen(channel);
  await send(server.port, reply);
  await expect
    .poll(() => plant.incoming)
    .toEqual([{ kind: 'reply', attemptId, from: address, text: '482913' }]);
});

test('a reply that could not be stored is read again, and a stored one is not', async ({ server, plant }) => {
  let broken = true;
  const stored: Incoming[] = [];
  const channel = plant.open({}, async (one) => {
    if (broken) throw new Error('no database');
    stored.push(one);
  });
  const { address, attemptId, replyTo } = await call(server, channel);
  await send(server.port, { from: address, to: replyTo, text: 'ok' });
  await expect(plant.listen(channel).ended).rejects.toThrow('no database');
  broken = false;
  const first = plant.listen(channel);
  await expect.poll(() => stored).toMatchObject([{ attemptId }]);
  await sleep(200);
  first.stop();
  await first.ended;
  // A mail that arrives while nobody listens is read later.
  const next = await call(server, channel);
  await send(server.port, { from: next.address, to: next.replyTo, text: 'ok' });
  plant.listen(channel);
  await expect.poll(() => stored).toMatchObject([{ attemptId }, { attemptId: next.attemptId }]);
});

test('the end of the mailbox server ends the listener with a failure', async ({ server, plant }) => {
  const own = await startMailboxServer({ boxes: server.boxes });
  const channel = plant.open({ imapPort: own.port });
  const { ended } = plant.listen(channel);
  expect(await channel.check(soon())).toEqual({ works: true });
  await own.stop();
  await expect(ended).rejects.toThrow('the connection ended without a proper answer');
  expect(await channel.check(soon())).toEqual({
    works: false,
    reason: 'replies cannot be read: nothing answers there as it should: check address, port and encryption',
  });
});

test('a mailbox over STARTTLS, with the authority of the plant', async ({
  server,
  plant,
  onTestFinished,
}) => {
  const identity = await makeMailIdentity();
  const own = await startMailboxServer({ boxes: server.boxes, identity });
  onTestFinished(own.stop);
  const settings = { imapPort: own.port, imapSecurity: 'starttls', imapHost: 'localhost' };
  expect(await plant.open({ ...settings, certificate: identity.cert }).check(soon())).toEqual({
    works: true,
  });
  expect(await plant.open(settings).check(soon())).toEqual({
    works: false,
    reason: 'replies cannot be read: its certificate is signed by nobody whom this server trusts',
  });
});

test.for([
  [{ imapPassword: 'wrong' }, 'the mailbox refused the log-in'],
  [{ imapMailbox: 'Nowhere' }, 'there is no such mailbox'],
  [{ imapSecurity: 'starttls' }, 'the server of the mailbox does not encrypt the connection'],
  [{ imapSecurity: 'tls' }, 'nothing answers there as it should: check address, port and encryption'],
  [{ imapPort: 1 }, 'nothing answers there as it should: check address, port and encryption'],
] as const)('the check of a mailbox with %j says: %s', async ([settings, reason], { plant }) => {
  expect(await plant.open(settings).check(soon())).toEqual({
    works: false,
    reason: `replies cannot be read: ${reason}`,
  });
});

base('a mailbox inside the machine is not reached unless the installation allows it', async () => {
  for (const imapHost of ['127.0.0.1', 'mailbox.plant.example']) {
    const lookup = (_name: string, _options: object, done: (error: null, found: object[]) => void) =>
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    const channel = emailKind.create(
      { ...settingsFor(25, 143), imapHost },
      contextFor('Email', { allow: [], lookup: lookup as never, signingKey: Buffer.alloc(32, 7) }),
    );
    await expect(channel.listen?.(soon())).rejects.toThrow('EGRESS_ALLOW');
    await channel.close?.();
  }
});

base('without a mailbox nobody is asked to reply', async () => {
  const server = await startSmallMailServer();
  const channel = emailKind.create(
    { host: '127.0.0.1', port: server.port, security: 'none', from: 'alarm@plant.example' },
    contextFor('Email', { signingKey: Buffer.alloc(32, 7) }),
  );
  expect(channel.listen).toBeUndefined();
  await channel.place(messageTo('anna@plant.example'), soon());
  expect(server.mails[0]).not.toMatch(/Reply-To|Reply 482913/);
  await channel.close?.();
  await server.stop();
});
