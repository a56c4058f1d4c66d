import type { SignalRGeneration } from '../hub/hub.ts';
import { createDataProtector } from './data-protector.ts';

/** The content of a connection token. It is encrypted: only nodes can read it. */
export type ConnectionClaims = {
  readonly generation: SignalRGeneration;
  readonly connectionId: string;
  /** The node that negotiated the connection, such as `http://10.0.0.7:8080`. */
  readonly ownerAddress: string;
  /** The `key` of the identity that negotiated. */
  readonly identityKey: string;
  /** Whether the client requested useStatefulReconnect reconnect. */
  readonly useStatefulReconnect: boolean;
};

export type ConnectionTokens = {
  issue(claims: ConnectionClaims): string;
  /** Returns undefined if the token was not issued with this secret. */
  read(token: string): ConnectionClaims | undefined;
};

export function createConnectionTokens(secret: string | readonly string[]): ConnectionTokens {
  const protector = createDataProtector(secret, 'connection token');
  return {
    issue: ({ generation, connectionId, ownerAddress, identityKey, useStatefulReconnect }) =>
      protector.protect(
        JSON.stringify([generation, connectionId, ownerAddress, identityKey, useStatefulReconnect]),
      ),
    read: (token) => {
      const text = protector.unprotect(token);
      if (text === undefined) return undefined;
      const [generation, connectionId, ownerAddress, identityKey, useStatefulReconnect] = JSON.parse(
        text,
      ) as [SignalRGeneration, string, string, string, boolean];
      return { generation, connectionId, ownerAddress, identityKey, useStatefulReconnect };
    },
  };
}
