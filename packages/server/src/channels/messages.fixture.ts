import { pino } from 'pino';
import type { ChannelContext, MediumKind, Message } from './channel.ts';
import { createEgress } from './egress.ts';
import type { Lookup } from './resolve-name.ts';

/** A message as the engine would send it. */
export function messageTo(address: string, more: Partial<Message> = {}): Message {
  return {
    attemptId: `attempt-${crypto.randomUUID()}`,
    address,
    language: 'en',
    subject: 'Pump 3 fails',
    text: 'Pump 3 in the north hall has failed.\nThe basin overflows in 20 minutes.',
    number: 0,
    alarms: [{ id: 7, priority: 1, message: 'Pump 3 fails' }],
    alarmCount: 1,
    audio: '',
    file: '',
    answer: { code: '482913', link: 'https://tocsin.plant.example/answer?token=a.b&c=d' },
    callbackUrl: '',
    deadline: new Date('2026-03-01T06:01:00Z'),
    ...more,
  };
}

export const loopback = ['127.0.0.0/8:*', '[::1/128]:*'];

export const soon = () => AbortSignal.timeout(8_000);

/** Surroundings that let a channel reach this machine. */
export function contextFor(
  medium: MediumKind,
  {
    allow = loopback,
    lookup,
    ...more
  }: Partial<Pick<ChannelContext, 'now' | 'readMedia' | 'log'>> & { allow?: string[]; lookup?: Lookup } = {},
): ChannelContext {
  return {
    medium,
    egress: createEgress(allow, lookup)(1),
    log: pino({ level: 'silent' }),
    now: () => new Date('2026-03-01T06:00:00Z'),
    readMedia: async () => undefined,
    ...more,
  };
}
