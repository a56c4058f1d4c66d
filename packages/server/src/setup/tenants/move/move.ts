import type { Logger } from 'pino';
import type { NamedTenant, OwnerClient } from '../owner-connection.store.ts';

/** Whether a tenant comes to a cell, or has left it. */
export type MovedState = 'arriving' | 'moved';

/** A tenant on its way from one database to another. */
export type Move = {
  readonly tenant: NamedTenant;
  readonly source: OwnerClient;
  readonly target: OwnerClient;
  /** The connection string by which the database of the other cell reads from this one. */
  readonly sourceUrl: string;
  readonly log: Logger;
};
