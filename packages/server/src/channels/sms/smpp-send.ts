import { setTimeout as sleep } from 'node:timers/promises';
import { createSemaphore } from '../../common/semaphore.ts';
import { faultReasons, reasonOf } from '../network/connection-fault.ts';
import type { Channel } from '../port/channel.ts';
import type { Message } from '../port/message.ts';
import type { ChannelOutcome } from '../port/outcome.ts';
import { shortMessage } from '../port/short-message.ts';
import type { SmppLink } from './smpp-link.ts';
import { type ReceiptIds, referenceOf } from './smpp-receipt.ts';
import type { SmppResponse, SmppSession } from './smpp-session.ts';
import { isThrottle, refusedOutcome } from './smpp-status.ts';
import { createThrottle, type Throttle } from './smpp-throttle.ts';
import { type SmsPart, smsParts, wholeSms } from './sms-parts.ts';

export type SenderSettings = {
  readonly source: string;
  readonly sourceTon?: number;
  readonly sourceNpi?: number;
  readonly longTexts?: 'parts' | 'payload';
  readonly receipts?: boolean;
  readonly receiptIds?: ReceiptIds;
  readonly window?: number;
};

/** The pause before a further part of a text is tried again after a throttle. */
const partPauseMs = 1_000;
const udhIndicator = 0x40;
const unsureReasons = {
  late: 'the SMS centre gave no response in time: the message may arrive, and arrive twice if it is sent again',
  cut: 'the connection ended before the response: the message may arrive, and arrive twice if it is sent again',
  unreadable:
    'the response of the SMS centre was not readable: the message may arrive, and arrive twice if it is sent again',
  partly: 'the SMS centre took only a part of the message: it may arrive twice if it is sent again',
} as const;

/** Sends messages through the link, as many at a time as the window allows. */
export function createSmppSender(
  settings: SenderSettings,
  link: SmppLink,
  report: (error: unknown) => void,
): Channel['place'] {
  const window = createSemaphore(settings.window ?? 10);
  const throttle = createThrottle();
  let texts = Math.floor(Math.random() * 256);
  return async (message, signal) => {
    if (!/^\+?[0-9]{3,20}$/.test(message.address))
      return { kind: 'failed', permanent: true, blame: 'recipient', reason: 'not a telephone number' };
    const pauseSeconds = throttle.pauseSeconds();
    if (pauseSeconds > 0)
      return {
        kind: 'notNow',
        reason: 'the SMS centre asked for fewer messages',
        retryAfterSeconds: pauseSeconds,
      };
    if (!(await window.acquire(signal)))
      return { kind: 'notNow', reason: 'the window of the SMS centre is full', retryAfterSeconds: 1 };
    texts = (texts + 1) % 256;
    const sending = { settings, throttle, parts: partsFor(message, settings, texts), signal };
    try {
      return await sendParts(await link.session(signal), sending, message);
    } catch (error) {
      report(error);
      return { kind: 'failed', permanent: false, blame: 'channel', reason: reasonOf(error) };
    } finally {
      window.release();
    }
  };
}

function partsFor(message: Message, { longTexts }: SenderSettings, reference: number): SmsPart[] {
  const text = shortMessage(message);
  const parts = smsParts(text, reference);
  return parts.length > 1 && longTexts === 'payload' ? [wholeSms(text)] : parts;
}

type Sending = {
  readonly settings: SenderSettings;
  readonly throttle: Throttle;
  readonly parts: readonly SmsPart[];
  readonly signal: AbortSignal;
};

/** Sends the parts in their order. The last one has the receipt, and its id is the reference of the message. */
async function sendParts(session: SmppSession, sending: Sending, message: Message): Promise<ChannelOutcome> {
  const { settings, parts } = sending;
  let reference = '';
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const fields = submitFields(message.address, part, settings, isLast && (settings.receipts ?? true));
    const response = await submit(session, fields, sending, index > 0);
    if (response.kind !== 'response' || response.status !== 0) return stopped(response, sending, index > 0);
    const { message_id: id } = response.fields;
    reference = typeof id === 'string' ? referenceOf(id, settings.receiptIds ?? 'same') : '';
  }
  sending.throttle.passed();
  return { kind: 'accepted', reference };
}

/** A further part waits out a throttle here, because otherwise the parts before it would be sent twice. */
async function submit(
  session: SmppSession,
  fields: Record<string, unknown>,
  { signal }: Sending,
  isFurtherPart: boolean,
): Promise<SmppResponse> {
  for (;;) {
    const response = await session.request('submit_sm', fields, signal);
    const isThrottled = response.kind === 'response' && isThrottle(response.status);
    if (!isThrottled || !isFurtherPart) return response;
    const isInTime = await sleep(partPauseMs, true, { signal }).catch(() => false);
    if (!isInTime) return response;
  }
}

function stopped(response: SmppResponse, { throttle }: Sending, isFurtherPart: boolean): ChannelOutcome {
  if (isFurtherPart) return { kind: 'unknown', reason: unsureReasons.partly };
  if (response.kind === 'response') {
    if (isThrottle(response.status)) throttle.slowDown();
    return refusedOutcome(response.status, throttle.pauseSeconds());
  }
  if (response.kind === 'not-sent')
    return { kind: 'failed', permanent: false, blame: 'channel', reason: faultReasons.brokenOff };
  return { kind: 'unknown', reason: unsureReasons[response.kind] };
}

function submitFields(
  address: string,
  { dataCoding, header, body }: SmsPart,
  settings: SenderSettings,
  wantsReceipt: boolean,
): Record<string, unknown> {
  const source = numbered(settings.source);
  const destination = numbered(address);
  const content = Buffer.concat([header, body]);
  // Only a whole text has no header and is longer than a part.
  const isPayload = header.length === 0 && body.length > (dataCoding === 0 ? 160 : 140);
  return {
    source_addr_ton: settings.sourceTon ?? source.ton,
    source_addr_npi: settings.sourceNpi ?? source.npi,
    source_addr: source.number,
    dest_addr_ton: destination.ton,
    dest_addr_npi: destination.npi,
    destination_addr: destination.number,
    esm_class: header.length > 0 ? udhIndicator : 0,
    registered_delivery: wantsReceipt ? 1 : 0,
    // Always given: the codec would write 1 (IA5) for the GSM alphabet.
    data_coding: dataCoding,
    short_message: isPayload ? Buffer.alloc(0) : content,
    ...(isPayload && { message_payload: content }),
  };
}

/** Type of number and numbering plan: 1/1 for an international number, 0/1 for another, 5/0 for a name. */
function numbered(address: string): { number: string; ton: number; npi: number } {
  if (address.startsWith('+')) return { number: address.slice(1), ton: 1, npi: 1 };
  return /^[0-9]+$/.test(address) ? { number: address, ton: 0, npi: 1 } : { number: address, ton: 5, npi: 0 };
}
