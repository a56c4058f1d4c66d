import { Type } from 'typebox';
import { authorityText, secretText } from '../port/setting-schemas.ts';
import { isMailAddress } from './email-message.ts';

export const EmailSettings = Type.Object({
  host: Type.String({
    minLength: 1,
    maxLength: 253,
    title: 'Mail server',
    description: 'Name or address.',
    guardsSecrets: true,
  }),
  port: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      title: 'Port',
      guardsSecrets: true,
      description: 'By default 587 with STARTTLS, 465 with TLS, 25 without.',
    }),
  ),
  security: Type.Optional(
    Type.Enum(['starttls', 'tls', 'none'], {
      default: 'starttls',
      title: 'Encryption',
      guardsSecrets: true,
      description: '`none` is for a mail server in the same building only.',
    }),
  ),
  certificate: Type.Optional(
    authorityText('In PEM; for mail servers whose certificate no public authority has signed.'),
  ),
  user: Type.Optional(Type.String({ maxLength: 256, title: 'User', description: 'Empty: no log-in.' })),
  password: Type.Optional(secretText({ title: 'Password', description: 'Of that user.' })),
  from: Type.Refine(
    Type.String({ maxLength: 254, title: 'Sender', description: 'Mail address that messages come from.' }),
    isMailAddress,
  ),
  fromName: Type.Optional(
    Type.String({ maxLength: 64, title: 'Name of the sender', description: 'Shown with the address.' }),
  ),
  connections: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 50,
      default: 5,
      title: 'Connections',
      description: 'To the mail server at most.',
    }),
  ),
  replyDomain: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9.-]*$',
      maxLength: 189,
      title: 'Domain of replies',
      description:
        'People can answer by a reply if mails to `ack+…` and `bounce+…` at this domain arrive in the mailbox below, or in that of another channel.',
    }),
  ),
  imapHost: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      title: 'Server of the mailbox',
      description: 'Name or address of the IMAP server; empty: replies are not read.',
      guardsSecrets: true,
    }),
  ),
  imapPort: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      title: 'Port of the mailbox',
      guardsSecrets: true,
      description: 'By default 993 with TLS, 143 otherwise.',
    }),
  ),
  imapSecurity: Type.Optional(
    Type.Enum(['tls', 'starttls', 'none'], {
      default: 'tls',
      title: 'Encryption of the mailbox',
      guardsSecrets: true,
      description: '`none` is for a mail server in the same building only.',
    }),
  ),
  imapUser: Type.Optional(
    Type.String({ maxLength: 256, title: 'User of the mailbox', description: 'Log-in to its server.' }),
  ),
  imapPassword: Type.Optional(secretText({ title: 'Password of the mailbox', description: 'Of that user.' })),
  imapMailbox: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      default: 'INBOX',
      title: 'Mailbox',
      description: 'Used for replies alone: every mail in it is marked as read.',
    }),
  ),
});
export type EmailSettings = Type.Static<typeof EmailSettings>;
