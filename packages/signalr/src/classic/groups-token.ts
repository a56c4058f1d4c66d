import { createSealer } from '../sealed-token.ts';

/** What the hub keeps for a client. The higher version is the later one, on whatever node it was kept. */
export type Kept = { readonly state: string; readonly version: number };

/** What is kept, carried by the client: `G` on the wire. */
export type GroupsTokens = {
  seal(connectionId: string, kept: Kept): string;
  /** Undefined when it is not one of this connection's. */
  open(connectionId: string, token: string): Kept | undefined;
};

export function createGroupsTokens(secret: string | readonly string[]): GroupsTokens {
  const sealer = createSealer(secret, 'groups token');
  return {
    seal: (connectionId, { state, version }) => sealer.seal(JSON.stringify([connectionId, version, state])),
    open: (connectionId, token) => {
      const text = sealer.open(token);
      if (text === undefined) return undefined;
      const [owner, version, state] = JSON.parse(text) as [string, number, string];
      return owner === connectionId ? { state, version } : undefined;
    },
  };
}

/** What was kept last, of what this node knows and what the client brings. */
export function latest(known: Kept | undefined, brought: Kept | undefined): Kept | undefined {
  return (brought?.version ?? 0) > (known?.version ?? 0) ? brought : known;
}
