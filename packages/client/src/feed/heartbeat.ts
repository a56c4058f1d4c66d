import type { Clock } from '../common/system-clock.ts';

export type HeartbeatEvents = {
  /** Sends a sign of life request, if there is a connection. */
  ping(): void;
  /** Nothing was heard for one heartbeat. */
  onLate(): void;
  /** Nothing was heard for two heartbeats. */
  onLost(): void;
  /** The clock has jumped, as after a sleep of the machine, or the page was not allowed to run. */
  onJump(ms: number): void;
};

export type Heartbeat = {
  /** Something was heard. */
  heard(): void;
  /** A new connection begins: silence counts from now. */
  begin(): void;
  /** There is no connection: silence is not counted. */
  pause(): void;
  stop(): void;
};

const ticksPerHeartbeat = 4;
const pingsPerHeartbeat = 2;

/**
 * Notices within two heartbeats that a server is silent. Silence counts only while this page runs: browsers hold the timers
 * of hidden pages back for up to a minute, in which nothing was asked.
 */
export function startHeartbeat(heartbeatMs: number, now: Clock, events: HeartbeatEvents): Heartbeat {
  const tickMs = heartbeatMs / ticksPerHeartbeat;
  let silentSince: number | undefined;
  let pingedAt = 0;
  let tickedAt = now();

  const ping = (at: number) => {
    pingedAt = at;
    events.ping();
  };
  const tick = () => {
    const at = now();
    const passed = at - tickedAt;
    tickedAt = at;
    const hasJumped = passed > heartbeatMs || passed < 0;
    if (hasJumped) events.onJump(passed);
    if (silentSince === undefined) return;
    if (hasJumped) {
      silentSince = at;
      return ping(at);
    }
    if (at - pingedAt >= heartbeatMs / pingsPerHeartbeat) ping(at);
    const silentMs = at - silentSince;
    if (silentMs >= 2 * heartbeatMs) events.onLost();
    else if (silentMs >= heartbeatMs) events.onLate();
  };
  const timer = setInterval(tick, tickMs);
  return {
    heard: () => {
      if (silentSince !== undefined) silentSince = now();
    },
    begin: () => {
      silentSince = now();
    },
    pause: () => {
      silentSince = undefined;
    },
    stop: () => clearInterval(timer),
  };
}
