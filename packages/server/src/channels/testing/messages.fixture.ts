import type { MediumKind } from '@tocsin/domain';
import { pino } from 'pino';
import { createEgress } from '../network/egress.ts';
import type { Lookup } from '../network/resolve-name.ts';
import type { ChannelContext } from '../port/channel.ts';
import type { Message } from '../port/message.ts';

/** A message as the engine would send it. */
export function messageTo(address: string, more: Partial<Message> = {}): Message {
  const attemptId = `attempt-${crypto.randomUUID()}`;
  return {
    attemptId,
    address,
    language: 'en',
    subject: 'Pump 3 fails',
    text: 'Pump 3 in the north hall has failed.\nThe basin overflows in 20 minutes.',
    number: 0,
    alarms: [{ id: 7, attemptId, priority: 1, message: 'Pump 3 fails', audio: '' }],
    alarmCount: 1,
    audio: '',
    file: '',
    answer: { code: '482913', link: 'https://tocsin.plant.example/answer?token=a.b&c=d' },
    callbackUrl: '',
    ...more,
  };
}

export const loopback = ['127.0.0.0/8:*', '[::1/128]:*'];

export const soon = () => AbortSignal.timeout(8_000);

/** A context in which a channel may connect to this machine. */
export function contextFor(
  medium: MediumKind,
  {
    allow = loopback,
    lookup,
    ...more
  }: Partial<Pick<ChannelContext, 'now' | 'readMedia' | 'log' | 'inbox' | 'signingKey'>> & {
    allow?: string[];
    lookup?: Lookup;
  } = {},
): ChannelContext {
  return {
    medium,
    egress: createEgress(allow, lookup)(1),
    log: pino({ level: 'silent' }),
    now: () => new Date('2026-03-01T06:00:00Z'),
    readMedia: async () => undefined,
    inbox: async () => {},
    ...more,
  };
}
