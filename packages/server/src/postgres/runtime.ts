import type { Tracing } from '@tocsin/telemetry';
import type { Logger } from 'pino';
import type { SecretBox } from '../common/secret-box.ts';
import type { Database } from './database.ts';

/** The services that use cases depend on. Time comes with the transaction, from the clock of the database. */
export type Runtime = {
  readonly database: Database;
  readonly log: Logger;
  /** Encrypts and decrypts secrets that are stored in the database. */
  readonly box: SecretBox;
  /** Absent unless traces are switched on. */
  readonly tracing?: Tracing | undefined;
};
