import type { ChannelTest, ChannelTestResult } from '@tocsin/contract';
import type { Channel } from './port/channel.ts';
import type { Message } from './port/message.ts';
import type { ChannelOutcome, ReportLeg } from './port/outcome.ts';

const testTimeoutMs = 10_000;

const reached = new Set<ChannelOutcome['kind']>(['accepted', 'delivered', 'answered', 'acknowledged']);

/** Tests a channel: sends a test message to the address, or without one checks whether the provider answers. */
export async function testChannel(
  channel: Channel,
  { address }: ChannelTest,
  report?: ReportLeg,
): Promise<ChannelTestResult> {
  const signal = AbortSignal.timeout(testTimeoutMs);
  if (address === undefined) {
    const health = await channel.check(signal);
    return { works: health.works, outcome: 'checked', reason: health.works ? '' : health.reason };
  }
  const outcome = await channel.place(testMessage(address), signal, report);
  const reason = 'reason' in outcome ? outcome.reason : '';
  return { works: reached.has(outcome.kind), outcome: outcome.kind, reason };
}

function testMessage(address: string): Message {
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
  };
}
