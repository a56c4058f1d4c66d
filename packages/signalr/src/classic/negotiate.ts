import type { ClassicTimeouts } from './classic-limits.ts';

/** Protocol versions in tenths: 1.5 is 15. */
const oldestProtocol = 12;
const newestProtocol = 20;

/** Returns the client's protocol version, or the nearest supported one. Without a version it is the oldest. */
export function agreedProtocol(clientProtocol: string | undefined): string {
  const [, major, minor] = /^(\d{1,3})\.(\d)(?:\.\d+)*$/.exec(clientProtocol ?? '') ?? [];
  const requested = major === undefined || minor === undefined ? 0 : Number(major) * 10 + Number(minor);
  const agreed = Math.min(Math.max(requested, oldestProtocol), newestProtocol);
  return (agreed / 10).toFixed(1);
}

export type NegotiateRequest = {
  /** The path that the client used, without `/negotiate`. */
  readonly url: string;
  readonly connectionToken: string;
  readonly connectionId: string;
  readonly clientProtocol: string | undefined;
  readonly timeouts: ClassicTimeouts;
};

/** The members are defined by the protocol; times are in seconds. */
export function negotiateResponse(negotiation: NegotiateRequest): Record<string, unknown> {
  const { url, connectionToken, connectionId, clientProtocol, timeouts } = negotiation;
  return {
    Url: url,
    ConnectionToken: connectionToken,
    ConnectionId: connectionId,
    KeepAliveTimeout: (timeouts.keepAliveIntervalMs * 2) / 1_000,
    DisconnectTimeout: timeouts.disconnectTimeoutMs / 1_000,
    ConnectionTimeout: timeouts.connectionTimeoutMs / 1_000,
    TryWebSockets: true,
    ProtocolVersion: agreedProtocol(clientProtocol),
    TransportConnectTimeout: timeouts.transportConnectTimeoutMs / 1_000,
    LongPollDelay: 0,
  };
}
