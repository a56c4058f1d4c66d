import type { HubMessage } from '../../hub/hub-message.ts';

export type EndReason =
  /** Ends permanently; the error is sent to the client. */
  | { readonly kind: 'error'; readonly error: string }
  /** The client should reconnect. */
  | { readonly kind: 'reconnect' }
  /** The client has opened another transport or has left. */
  | { readonly kind: 'replaced' }
  /** The client does not keep up. It gets the pending messages and reconnects for the rest. */
  | { readonly kind: 'tooSlow' };

/** One transport of one client. */
export type ClassicTransport = {
  /** The position of a client that reconnects without a cursor; empty before the start. */
  readonly resumeCursor: string;
  /** Bytes that the client has not received yet. */
  readonly pendingBytes: number;
  start(cursor: string): void;
  /** Moves the client to another position, which may be an earlier one. */
  setCursor(cursor: string): void;
  /** Returns false if the client does not keep up. */
  send(message: HubMessage): boolean;
  /** Sends the token that the client returns when it reconnects. */
  sendGroupsToken(groupsToken: string): void;
  /** Sends keep-alive data when due. Returns false if the client does not keep up. */
  onHeartbeat(now: number): boolean;
  end(reason: EndReason): void;
};

/** Stands in for the transport of a client that has none on this node. */
export const detachedTransport: ClassicTransport = {
  resumeCursor: '',
  pendingBytes: 0,
  start: () => undefined,
  setCursor: () => undefined,
  send: () => true,
  sendGroupsToken: () => undefined,
  onHeartbeat: () => true,
  end: () => undefined,
};
