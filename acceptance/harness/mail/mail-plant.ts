import { createTransport } from 'nodemailer';
import { type MessagePlant, openMessagePlant } from '../on-call/message-plant.ts';
import { create } from '../plant.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { type MailboxServer, mailboxLogin, startMailboxServer } from './mailbox-server.ts';
import { startSmallMailServer } from './small-mail-server.ts';

/** A person, and the mail that they get when they are called. */
export type MailUser = { readonly id: number; readonly address: string; mail(): Promise<CallMail> };

export type CallMail = { readonly text: string; readonly replyTo: string; readonly link: string };

export type SentMail = { from: string; to: string; text: string; headers?: Record<string, string> };

/** A plant that calls people by mail, through OpenSMTPD, and reads replies from Dovecot. */
export type MailPlant = MessagePlant & {
  readonly server: MailServer;
  employ(name: string): Promise<MailUser>;
  /** Sends a mail as a person would. */
  send(mail: SentMail): Promise<void>;
  /** Ends the server of the mailbox and starts it again on the same port after `meanwhile`. */
  restartMailbox(meanwhile: () => Promise<void>): Promise<void>;
};

export async function openMailPlant(): Promise<MailPlant> {
  const far = await startSmallMailServer({ faults: { RCPT: '550 5.1.1 no such user here' } });
  const server = await startMailServer({ nextHop: far.port });
  let mailbox: MailboxServer = await startMailboxServer({ boxes: server.boxes });
  const plant = await openMessagePlant();
  const { port } = mailbox;
  await addMailChannel(plant, { smtp: server.port, imap: port });
  let people = 0;
  return {
    ...plant,
    server,
    employ: async (name) => {
      people += 1;
      const box = `${name.toLowerCase()}${people}`;
      const address = `${box}@plant.example`;
      const id = await plant.hire(name, [{ kind: 'Email', address }]);
      return { id, address, mail: async () => callMail((await server.mailsFor(box))[0] ?? '') };
    },
    send: (mail) => send(server.port, mail),
    restartMailbox: async (meanwhile) => {
      await mailbox.stop();
      await meanwhile();
      mailbox = await startMailboxServer({ boxes: server.boxes, port });
    },
    close: async () => {
      await plant.close();
      await mailbox.stop();
      await server.stop();
      await far.stop();
    },
  };
}

function addMailChannel(
  { client }: MessagePlant,
  { smtp, imap }: { smtp: number; imap: number },
): Promise<number> {
  return create(client, 'channels', {
    name: 'Mail',
    kind: 'email',
    settings: {
      host: '127.0.0.1',
      port: smtp,
      security: 'none',
      from: 'alarm@plant.example',
      replyDomain: 'plant.example',
      imapHost: '127.0.0.1',
      imapPort: imap,
      imapSecurity: 'none',
      imapUser: mailboxLogin.user,
      imapPassword: mailboxLogin.password,
    },
  });
}

async function send(port: number, mail: SentMail): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  await transport.sendMail({ subject: 'Re: Alarm', ...mail });
  transport.close();
}

function callMail(mail: string): CallMail {
  const unfolded = mail.replace(/\n[ \t]+/g, ' ');
  const text = mail.replace(/=\n/g, '').replaceAll('=3D', '=');
  const [, replyTo = ''] = /^Reply-To: <?([^>\n]+)>?$/m.exec(unfolded) ?? [];
  const [link = ''] = /http:\/\/[^\s"<]+\/answer\/[^\s"<]+/.exec(text) ?? [];
  return { text, replyTo, link };
}
