import type { ChannelPlace } from './channel-health.ts';

/**
 * How many messages may be on their way at once. Nobody may hold more than half of what the others leave, so that there is
 * always room for one more tenant, however many providers never answer.
 */
export type SendSlots = {
  /** How many may be taken up now, of all tenants together: half of what is free stays free. */
  wanted(): number;
  /** How many a tenant that holds none may take. */
  usualRoom(): number;
  /** The tenants that hold some, and how many more each may take. */
  rooms(): { tenantIds: number[]; rooms: number[] };
  /** Whether the channel may get so many more: some stay for the other channels of its tenant. */
  hasRoom(place: ChannelPlace, more: number): boolean;
  take(place: ChannelPlace): void;
  giveBack(place: ChannelPlace): void;
};

/** Of all slots, what one channel may hold. */
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
    take: (place) => move(place, 1),
    giveBack: (place) => move(place, -1),
  };
}

function add<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
