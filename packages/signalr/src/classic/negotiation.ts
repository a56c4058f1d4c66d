import type { ClassicTimings } from './classic-timings.ts';

/** Tenths: 1.5 is 15. */
const oldestProtocol = 12;
const newestProtocol = 20;

/** What a client speaks, or the nearest that is spoken here; the oldest when it does not say. */
export function agreedProtocol(clientProtocol: string | undefined): string {
  const [, major, minor] = /^(\d{1,3})\.(\d)(?:\.\d+)*$/.exec(clientProtocol ?? '') ?? [];
  const wanted = major === undefined || minor === undefined ? 0 : Number(major) * 10 + Number(minor);
  const agreed = Math.min(Math.max(wanted, oldestProtocol), newestProtocol);
  return (agreed / 10).toFixed(1);
}

export type Negotiation = {
  /** Path under which this client came, without `/negotiate`. */
  readonly url: string;
  readonly connectionToken: string;
  readonly connectionId: string;
  readonly clientProtocol: string | undefined;
  readonly timings: ClassicTimings;
};

/** The members are the protocol's; times are in seconds. */
export function negotiateAnswer(negotiation: Negotiation): Record<string, unknown> {
  const { url, connectionToken, connectionId, clientProtocol, timings } = negotiation;
  return {
    Url: url,
    ConnectionToken: connectionToken,
    ConnectionId: connectionId,
    KeepAliveTimeout: (timings.keepAliveMs * 2) / 1_000,
    DisconnectTimeout: timings.disconnectMs / 1_000,
    ConnectionTimeout: timings.pollMs / 1_000,
    TryWebSockets: true,
    ProtocolVersion: agreedProtocol(clientProtocol),
    TransportConnectTimeout: timings.transportConnectMs / 1_000,
    LongPollDelay: 0,
  };
}
