import type { ChannelTest, ChannelTestResult } from '@tocsin/contract';
import type { Channel, Message, Outcome } from './channel.ts';

const longestTestMs = 10_000;

const reached = new Set<Outcome['kind']>(['accepted', 'delivered', 'answered', 'acknowledged']);

/** Tries a channel: with an address by a test message, without by asking whether the provider is there. */
export async function testChannel(
  channel: Channel,
  { address }: ChannelTest,
  now: Date,
): Promise<ChannelTestResult> {
  const signal = AbortSignal.timeout(longestTestMs);
  if (address === undefined) {
    const health = await channel.check(signal);
    return { works: health.works, outcome: 'checked', reason: health.works ? '' : health.reason };
  }
  const outcome = await channel.send(testMessage(address, now), signal);
  const reason = 'reason' in outcome ? outcome.reason : '';
  return { works: reached.has(outcome.kind), outcome: outcome.kind, reason };
}

function testMessage(address: string, now: Date): Message {
  return {
    attemptId: `test-${crypto.randomUUID()}`,
    address,
    language: '',
    subject: 'Test message',
    text: 'This is a test message. Nothing is wrong.',
    number: 0,
    alarms: [],
    alarmCount: 0,
    audio: '',
    file: '',
    answer: undefined,
    callbackUrl: '',
    deadline: new Date(now.getTime() + longestTestMs),
  };
}
