import { expect, test } from 'vitest';
import { createSendSlots } from './send-slots.ts';

test('there is a slot for one more tenant even if many providers never answer', () => {
  const slots = createSendSlots(500);
  for (let tenantId = 1; tenantId <= 8; tenantId++) {
    const { tenantIds, rooms } = slots.rooms();
    expect(tenantIds.map((_, index) => rooms[index])).toEqual(tenantIds.map(() => 0));
    const room = Math.min(slots.usualRoom(), slots.wanted());
    expect(room).toBeGreaterThan(0);
    for (let sent = 0; sent < room; sent++) slots.acquire({ tenantId, channelId: 1 });
  }
  expect(slots.usualRoom()).toBeGreaterThan(0);
});

test('a released slot can be used again', () => {
  const slots = createSendSlots(4);
  const place = { tenantId: 1, channelId: 1 };
  slots.acquire(place);
  slots.acquire(place);
  expect(slots.rooms()).toEqual({ tenantIds: [1], rooms: [0] });
  slots.release(place);
  expect(slots.rooms()).toEqual({ tenantIds: [1], rooms: [1] });
});

test('a channel that never answers leaves slots for the other channels of its tenant', () => {
  const slots = createSendSlots(10);
  for (let sent = 0; sent < 4; sent++) slots.acquire({ tenantId: 1, channelId: 1 });
  expect(slots.hasRoom({ tenantId: 1, channelId: 1 }, 1)).toBe(false);
  expect(slots.hasRoom({ tenantId: 1, channelId: 2 }, 1)).toBe(true);
});
