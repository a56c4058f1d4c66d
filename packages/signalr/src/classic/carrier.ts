import type { HubMessage } from '../hub-message.ts';

/** Why a way to the client ends. */
export type Ending =
  /** For good; the client is told. */
  | { readonly kind: 'error'; readonly error: string }
  /** The client should come back. */
  | { readonly kind: 'reconnect' }
  /** The client has opened another. */
  | { readonly kind: 'replaced' }
  /** The client does not keep up. It gets what has been taken, and comes back for the rest. */
  | { readonly kind: 'behind' };

/** The way to one client, over one transport. */
export type Carrier = {
  /** Where the client goes on when it comes back and does not say where it is; empty before it begins. */
  readonly place: string;
  /** What the client has not taken yet. */
  readonly pendingBytes: number;
  /** The client begins here. */
  begin(cursor: string): void;
  /** The client goes on from here, which may be an earlier place. */
  moveTo(cursor: string): void;
  /** False when the client does not keep up. */
  push(message: HubMessage): boolean;
  /** Gives the client what it brings back when it reconnects. */
  tellGroups(groupsToken: string): void;
  /** Keeps the way alive. False when the client does not keep up. */
  beat(now: number): boolean;
  end(ending: Ending): void;
};
