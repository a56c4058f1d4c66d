import type { Delivery, Submitted } from './pdu.ts';

/** What the centre does with a message: `accept` it, or one of the faults of real centres. */
export type Behaviour =
  | { kind: 'accept'; receipt?: 'DELIVRD' | 'UNDELIV'; delayMs?: number }
  /** Accepts `after` messages first, and all after `times` refusals. */
  | { kind: 'refuse'; status: number; after?: number; times?: number }
  | { kind: 'silent' }
  | { kind: 'cut' }
  | { kind: 'malformed-response' };

export type Taken = Submitted & { readonly id: string };

/** The centre's end of a connection, as the centre sees it. */
export type BoundSession = {
  readonly isBound: boolean;
  write(bytes: Buffer): void;
  deliver(delivery: Delivery): Promise<number>;
};

/** What a centre and its sessions share. */
export type CentreState = {
  readonly received: Taken[];
  readonly behaviours: Map<string, Behaviour>;
  readonly sessions: Set<BoundSession>;
  /** `generic_nack` that came from the client. */
  readonly refusals: { sequence: number; status: number }[];
  readonly counts: { binds: number; enquiries: number; ids: number };
  receiptFor(id: string, state: 'DELIVRD' | 'UNDELIV'): void;
};

export const centreAccount = { systemId: 'tocsin', password: 'sesame' };
