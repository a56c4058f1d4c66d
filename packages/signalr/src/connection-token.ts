import type { Family } from './hub.ts';
import { createSealer } from './sealed-token.ts';

/** What a connection token says, to nodes only. */
export type ConnectionClaims = {
  readonly family: Family;
  readonly connectionId: string;
  /** Address of the node that negotiated, such as `http://10.0.0.7:8080`. */
  readonly owner: string;
  /** Whose it is: `key` of the identity. */
  readonly identityKey: string;
  /** Whether the owner keeps what was sent for a socket that comes back. */
  readonly stateful: boolean;
};

export type ConnectionTokens = {
  seal(claims: ConnectionClaims): string;
  open(token: string): ConnectionClaims | undefined;
};

export function createConnectionTokens(secret: string | readonly string[]): ConnectionTokens {
  const sealer = createSealer(secret, 'connection token');
  return {
    seal: ({ family, connectionId, owner, identityKey, stateful }) =>
      sealer.seal(JSON.stringify([family, connectionId, owner, identityKey, stateful])),
    open: (token) => {
      const text = sealer.open(token);
      if (text === undefined) return undefined;
      const [family, connectionId, owner, identityKey, stateful] = JSON.parse(text) as [
        Family,
        string,
        string,
        string,
        boolean,
      ];
      return { family, connectionId, owner, identityKey, stateful };
    },
  };
}
