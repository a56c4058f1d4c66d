import { expect, test } from 'vitest';
import type { Channel } from '../../channels/port/channel.ts';
import { channelsFor, type TenantChannel } from './tenant-channels.ts';

function channel(id: number, medium: string, understands?: (address: string) => boolean): TenantChannel {
  const opened: Channel = {
    place: async () => ({ kind: 'accepted', reference: '' }),
    check: async () => ({ works: true }),
    ...(understands && { understands }),
  };
  return { id, medium, channel: opened };
}

const topics = channel(1, 'Push', (address) => address.startsWith('topic-'));
const browsers = channel(2, 'Push', (address) => address.startsWith('{'));
const anything = channel(3, 'Push');
const phones = channel(4, 'Voice');

const idsFor = (channels: TenantChannel[], address: string) =>
  channelsFor(channels, { kind: 'Push', address }).map(({ id }) => id);

test('a person is reached by the channels of their medium that understand their address', () => {
  expect(idsFor([topics, browsers, phones], 'topic-anna')).toEqual([1]);
  expect(idsFor([topics, browsers, phones], '{"endpoint":""}')).toEqual([2]);
  expect(idsFor([topics, browsers, anything], 'topic-anna')).toEqual([1, 3]);
});

test('an address that no channel understands is tried all the same, so that the reason is told', () => {
  expect(idsFor([topics, browsers, phones], 'anna')).toEqual([1, 2]);
  expect(idsFor([phones], 'anna')).toEqual([]);
});
