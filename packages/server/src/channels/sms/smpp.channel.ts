import { Type } from 'typebox';
import { logFault, reasonOf } from '../network/connection-fault.ts';
import { type Channel, type ChannelContext, channelKind, type Health } from '../port/channel.ts';
import { authorityText, secretText } from '../port/setting-schemas.ts';
import { createDeliveries } from './smpp-incoming.ts';
import { createSmppLink, type LinkTiming, type SmppLink } from './smpp-link.ts';
import { createSmppSender } from './smpp-send.ts';

/** A centre that takes longer counts as down, and another channel is tried. */
const usualTiming: LinkTiming = {
  connectMs: 3_000,
  responseMs: 10_000,
  idleMs: 20_000,
  backOffMs: 1_000,
  maxBackOffMs: 15_000,
};

const typeOfNumber = { minimum: 0, maximum: 6 };
const numberingPlan = { minimum: 0, maximum: 18 };

export const SmppSettings = Type.Object({
  host: Type.String({
    minLength: 1,
    maxLength: 253,
    title: 'SMS centre',
    description: 'Name or address.',
    guardsSecrets: true,
  }),
  port: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      title: 'Port',
      guardsSecrets: true,
      description: 'By default 2775, or 3550 with TLS.',
    }),
  ),
  tls: Type.Optional(
    Type.Boolean({
      default: false,
      title: 'TLS',
      guardsSecrets: true,
      description: 'Without it password and messages are sent in clear: use it, or a VPN to the provider.',
    }),
  ),
  certificate: Type.Optional(
    authorityText('In PEM; for a centre whose certificate no public authority has signed.'),
  ),
  systemId: Type.String({
    minLength: 1,
    maxLength: 15,
    pattern: '^[!-~]+$',
    title: 'System id',
    description: 'The name of the account.',
  }),
  password: Type.Optional(
    secretText({
      title: 'Password',
      description: 'Of that account; SMPP allows eight characters, some providers more.',
      pattern: '^[ -~]{1,64}$',
    }),
  ),
  systemType: Type.Optional(
    Type.String({
      maxLength: 12,
      pattern: '^[ -~]*$',
      title: 'System type',
      description: 'Most providers want none.',
    }),
  ),
  source: Type.String({
    minLength: 1,
    maxLength: 20,
    pattern: '^(\\+?[0-9]+|[ -~]{1,11})$',
    title: 'Sender',
    description: 'A number that can receive replies. A name shows nicely, but nobody can reply to it.',
  }),
  sourceTon: Type.Optional(
    Type.Integer({
      ...typeOfNumber,
      title: 'Type of the sender',
      description:
        'TON: 1 international, 2 national, 3 short code, 5 name. By default from the sender itself.',
    }),
  ),
  sourceNpi: Type.Optional(
    Type.Integer({
      ...numberingPlan,
      title: 'Numbering plan of the sender',
      description: 'NPI: 1 for telephone numbers, 0 for names. By default from the sender itself.',
    }),
  ),
  longTexts: Type.Optional(
    Type.Enum(['parts', 'payload'], {
      default: 'parts',
      title: 'Long texts',
      description: 'Sent in parts, or whole in `message_payload` for the centre to divide.',
    }),
  ),
  receipts: Type.Optional(
    Type.Boolean({
      default: true,
      title: 'Receipts',
      description: 'Ask whether each message was delivered.',
    }),
  ),
  receiptIds: Type.Optional(
    Type.Enum(['same', 'hex-then-decimal', 'decimal-then-hex'], {
      default: 'same',
      title: 'Ids in receipts',
      description:
        'For centres that write the id of a message in another notation in the receipt than in the response.',
    }),
  ),
  window: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 10,
      title: 'Window',
      description: 'Messages that may wait for their response at the same time.',
    }),
  ),
});
export type SmppSettings = Type.Static<typeof SmppSettings>;

export const smppKind = channelKind({
  title: 'SMS (SMPP)',
  description:
    'Sends texts through the SMS centre of a provider or an operator (SMPP 3.4), and receives replies.',
  media: ['Sms'],
  settings: SmppSettings,
  create: (settings, context) => smppChannel(settings, context),
});

export function smppChannel(
  settings: SmppSettings,
  context: ChannelContext,
  timing: LinkTiming = usualTiming,
): Channel {
  const { host, tls = false, certificate, systemId, password = '', systemType = '' } = settings;
  const { port = tls ? 3_550 : 2_775 } = settings;
  const deliveries = createDeliveries(context.inbox, settings.receiptIds ?? 'same');
  const link = createSmppLink(
    { host, port, tls, certificate, systemId, password, systemType },
    { egress: context.egress, timing, take: deliveries.take },
  );
  const place = createSmppSender(settings, link, (error) => logFault(context.log, host, error));
  return {
    place,
    check: (signal) => checkLink(link, signal, (error) => logFault(context.log, host, error)),
    listen: (signal) => listen(link, signal),
    close: async () => {
      deliveries.close();
      await link.close();
    },
  };
}

/** Asks the centre on the session that also carries messages. */
async function checkLink(
  link: SmppLink,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<Health> {
  try {
    const session = await link.session(signal);
    const response = await session.request('enquire_link', {}, signal);
    // A refusal is an answer, too.
    if (response.kind === 'response') return { works: true };
    return { works: false, reason: 'the SMS centre does not answer' };
  } catch (error) {
    report(error);
    return { works: false, reason: reasonOf(error) };
  }
}

/** Keeps a session open, so that replies come in while nothing is sent. */
async function listen(link: SmppLink, signal: AbortSignal): Promise<void> {
  const isWanted = () => !signal.aborted;
  try {
    const session = await link.patientSession(signal);
    const aborted = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    await Promise.race([session.ended, aborted]);
  } catch (error) {
    if (isWanted()) throw error;
  }
  if (isWanted()) throw new Error('the connection to the SMS centre ended');
}
