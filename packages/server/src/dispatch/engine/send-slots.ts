import type { ChannelPlace } from './channel-health.ts';

/**
 * Limits how many messages are being sent at once. A tenant may hold at most half of the slots that the others leave free,
 * so that there is always a slot for one more tenant, even if many providers never answer.
 */
export type SendSlots = {
  /** How many messages may be claimed now for all tenants together: half of the free slots. */
  wanted(): number;
  /** How many slots a tenant that holds none may use. */
  usualRoom(): number;
  /** The tenants that hold slots, and how many more each may use. */
  rooms(): { tenantIds: number[]; rooms: number[] };
  /** Whether the channel may use that many more slots. Some are reserved for the tenant's other channels. */
  hasRoom(place: ChannelPlace, more: number): boolean;
  acquire(place: ChannelPlace): void;
  release(place: ChannelPlace): void;
};

/** The share of all slots that one channel may hold. */
const channelShare = 0.4;

export function createSendSlots(total = 500): SendSlots {
  const byTenant = new Map<number, number>();
  const byChannel = new Map<string, number>();
  let held = 0;
  const roomOf = (tenantId: number) => {
    const own = byTenant.get(tenantId) ?? 0;
    return Math.max(0, Math.ceil((total - (held - own)) / 2) - own);
  };
  const move = ({ tenantId, channelId }: ChannelPlace, by: 1 | -1) => {
    held += by;
    add(byTenant, tenantId, by);
    add(byChannel, `${tenantId} ${channelId}`, by);
  };
  return {
    wanted: () => Math.ceil((total - held) / 2),
    usualRoom: () => Math.ceil((total - held) / 2),
    rooms: () => ({ tenantIds: [...byTenant.keys()], rooms: [...byTenant.keys()].map(roomOf) }),
    hasRoom: ({ tenantId, channelId }, more) =>
      (byChannel.get(`${tenantId} ${channelId}`) ?? 0) + more <= Math.ceil(total * channelShare),
    acquire: (place) => move(place, 1),
    release: (place) => move(place, -1),
  };
}

function add<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
