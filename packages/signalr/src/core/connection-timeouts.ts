import type { Limits } from '../runtime/limits.ts';
import type { KeepAlive } from './keep-alive.ts';
import type { HubMessageWriter } from './message-writer.ts';

/** The state of a connection at a heartbeat. */
export type ConnectionTimes = {
  readonly limits: Limits;
  readonly expiresAt: number | undefined;
  readonly openedAt: number;
  /** When the WebSocket was lost; undefined while there is a transport. */
  readonly transportLostAt: number | undefined;
  readonly handshakeReceivedAt: number | undefined;
  /** Whether the handshake response has been sent. */
  readonly isHandshakeComplete: boolean;
  readonly writer: HubMessageWriter;
  readonly keepAlive: KeepAlive;
};

export type TimeoutAction =
  | 'rejectHandshake'
  | 'sendHandshakeResponse'
  | 'closeExpired'
  | 'discard'
  | 'closeTooSlow'
  | 'closeTimedOut'
  | 'ping'
  | 'none';

/** Decides the action of a heartbeat. */
export function nextAction(now: number, times: ConnectionTimes): TimeoutAction {
  const { limits, expiresAt = Infinity, transportLostAt, writer, keepAlive } = times;
  if (!times.isHandshakeComplete) return nextHandshakeAction(now, times);
  if (expiresAt <= now) return 'closeExpired';
  if (transportLostAt !== undefined)
    return now - transportLostAt >= limits.disconnectTimeoutMs ? 'discard' : 'none';
  if (writer.isTooSlow(now)) return 'closeTooSlow';
  const action = keepAlive.check(now) ?? 'none';
  // The response to a poll replaces the ping.
  return action === 'ping' && writer.transportType === 'longPolling' ? 'none' : action;
}

/** A client that has sent its handshake in time is never rejected for a delay of the server. */
function nextHandshakeAction(now: number, times: ConnectionTimes): TimeoutAction {
  const { limits, expiresAt = Infinity, openedAt, handshakeReceivedAt } = times;
  if (handshakeReceivedAt !== undefined) {
    const isLate = now - handshakeReceivedAt >= limits.handshakeResponseDelayMs;
    return isLate ? 'sendHandshakeResponse' : 'none';
  }
  return now - openedAt >= limits.handshakeTimeoutMs || expiresAt <= now ? 'rejectHandshake' : 'none';
}
