import { createDataProtector } from '../tokens/data-protector.ts';

/** The state that the hub keeps for a client. The higher version is the later one, on whichever node it was stored. */
export type ClientState = { readonly value: string; readonly version: number };

/** Groups tokens (`G` on the wire) store the state at the client. */
export type GroupsTokens = {
  issue(connectionId: string, state: ClientState): string;
  /** Returns undefined if the token is invalid or of another connection. */
  read(connectionId: string, token: string): ClientState | undefined;
};

export function createGroupsTokens(secret: string | readonly string[]): GroupsTokens {
  const protector = createDataProtector(secret, 'groups token');
  return {
    issue: (connectionId, { value, version }) =>
      protector.protect(JSON.stringify([connectionId, version, value])),
    read: (connectionId, token) => {
      const text = protector.unprotect(token);
      if (text === undefined) return undefined;
      const [tokenConnectionId, version, value] = JSON.parse(text) as [string, number, string];
      return tokenConnectionId === connectionId ? { value, version } : undefined;
    },
  };
}

/** Returns the later one of the state known to this node and the state sent by the client. */
export function latestState(
  known: ClientState | undefined,
  received: ClientState | undefined,
): ClientState | undefined {
  return (received?.version ?? 0) > (known?.version ?? 0) ? received : known;
}
