import type { Logger } from 'pino';
import type { Database } from './postgres/database.ts';
import type { SecretBox } from './secret-box.ts';

/** What a use case may reach. Time comes with the transaction, from the database's clock. */
export type Runtime = {
  readonly database: Database;
  readonly log: Logger;
  /** Opens and seals what must not lie in the database in clear. */
  readonly box: SecretBox;
};
