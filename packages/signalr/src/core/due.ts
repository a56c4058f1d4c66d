import type { Limits } from '../limits.ts';
import type { Channel } from './channel.ts';
import type { Pulse } from './pulse.ts';

/** How a connection stands when its heart beats. */
export type Standing = {
  readonly limits: Limits;
  readonly expiresAt: number | undefined;
  readonly bornAt: number;
  /** Since when it has no socket. */
  readonly lostAt: number | undefined;
  /** Whether the client has its handshake. */
  readonly isAnswered: boolean;
  /** When the client asked for its handshake. */
  readonly askedAt: number | undefined;
  readonly channel: Channel;
  readonly pulse: Pulse;
};

export type Due = 'refuse' | 'answer' | 'expire' | 'forget' | 'cut' | 'silent' | 'ping' | 'nothing';

/** What time has made due. */
export function dueAt(now: number, standing: Standing): Due {
  const { limits, expiresAt = Infinity, lostAt, isAnswered, channel, pulse } = standing;
  if (!isAnswered) return dueBeforeAnswer(now, standing);
  if (expiresAt <= now) return 'expire';
  if (lostAt !== undefined) return now - lostAt >= limits.idleMs ? 'forget' : 'nothing';
  if (channel.isTooSlow(now)) return 'cut';
  const due = pulse.beat(now) ?? 'nothing';
  // A poll that ends in time says as much as a ping.
  return due === 'ping' && channel.transport === 'longPolling' ? 'nothing' : due;
}

/** A client that has asked is never refused for the time that the server takes. */
function dueBeforeAnswer(now: number, { limits, expiresAt = Infinity, bornAt, askedAt }: Standing): Due {
  if (askedAt !== undefined) return now - askedAt >= limits.placeMs ? 'answer' : 'nothing';
  return now - bornAt >= limits.handshakeMs || expiresAt <= now ? 'refuse' : 'nothing';
}
