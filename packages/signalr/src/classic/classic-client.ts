import type { FamilyContext } from '../family.ts';
import type { Identity, Refusal } from '../hub.ts';
import { type Budget, messageBudget } from '../limits.ts';
import type { Ending } from './carrier.ts';
import type { ClassicConnection } from './classic-connection.ts';
import type { Kept } from './groups-token.ts';
import { PollCarrier } from './poll-carrier.ts';

/** What this node knows of a client: it outlives the ways to it, so that the client may come back. */
export type ClassicClient<User> = {
  readonly id: string;
  readonly identityKey: string;
  /** What the client may still send. */
  readonly budget: Budget;
  /** Calls that have no answer yet. */
  openCalls: number;
  /** What the hub keeps for it. */
  kept: Kept | undefined;
  /** Where its last way left it: a cursor. */
  place: string | undefined;
  connection: ClassicConnection<User> | undefined;
};

export type ClassicClients<User> = {
  find(id: string): ClassicClient<User> | undefined;
  open(id: string, identity: Identity<User>): ClassicClient<User> | Refusal;
  end(client: ClassicClient<User>, ending: Ending): void;
};

export function createClients<User>(
  context: FamilyContext<User>,
  disconnectMs: number,
): ClassicClients<User> {
  const { admission, heartbeat, limits, clock } = context;
  const all = new Map<string, { client: ClassicClient<User>; stop(): void }>();

  const end = (client: ClassicClient<User>, ending: Ending) => {
    client.connection?.end(ending);
    all.get(client.id)?.stop();
  };

  const open = (id: string, identity: Identity<User>): ClassicClient<User> | Refusal => {
    const refusal = admission.enter(identity.key);
    if (refusal !== undefined) return refusal;
    // There is no handshake: the token was one.
    admission.handshakeEnded();
    const client: ClassicClient<User> = {
      id,
      identityKey: identity.key,
      budget: messageBudget(limits, clock()),
      openCalls: 0,
      kept: undefined,
      place: undefined,
      connection: undefined,
    };
    const beating = { beat: watchOver(client, disconnectMs, () => end(client, { kind: 'reconnect' })) };
    heartbeat.add(beating);
    const stop = () => {
      if (!all.delete(id)) return;
      heartbeat.remove(beating);
      admission.leave(identity.key);
    };
    all.set(id, { client, stop });
    return client;
  };

  return { find: (id) => all.get(id)?.client, open, end };
}

/** Looks after the way to the client, and gives a client up that has been away for too long. */
function watchOver<User>(
  client: ClassicClient<User>,
  disconnectMs: number,
  giveUp: () => void,
): (now: number) => void {
  let awaySince: number | undefined;
  return (now) => {
    client.connection?.beat(now);
    if (isThere(client)) awaySince = undefined;
    else awaySince ??= now;
    if (awaySince !== undefined && now - awaySince >= disconnectMs) giveUp();
  };
}

function isThere<User>({ connection }: ClassicClient<User>): boolean {
  if (connection === undefined) return false;
  const { carrier } = connection;
  return carrier instanceof PollCarrier ? carrier.isPolled : connection.isOpen;
}

/**
 * Where a client goes on that does not say where it is, as the one of Node does not when it comes back. What it has
 * not confirmed it gets again.
 */
export function placeOf<User>({ connection, place }: ClassicClient<User>): string | undefined {
  return connection?.carrier.place || place;
}
