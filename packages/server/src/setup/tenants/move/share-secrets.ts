import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import type { Config } from '../../../settings/config.ts';
import { CannotStart } from '../../cannot-start.ts';
import { openRuntime } from '../../open-runtime.ts';
import { asOwner, inTransaction, listTenants } from '../owner-connection.store.ts';
import { copySecrets } from './cell-secrets.store.ts';

const usage = 'share-secrets --to-file FILE';

/**
 * The command `share-secrets`: gives a new cell the secrets of this one, so that connections, links and badges of a tenant
 * stay valid when it moves. They stay sealed: both cells have the same SECRETS_KEY_FILE.
 */
export async function shareSecrets(config: Config, log: Logger, args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { 'to-file': { type: 'string' } } });
  const file = values['to-file'];
  if (file === undefined)
    throw new CannotStart([`Name a file with the connection string of the new cell's database: ${usage}`]);
  await (await openRuntime(config, log)).database.close();
  const targetUrl = readFileSync(file, 'utf8').trim();
  return asOwner(config, (source) =>
    asOwner({ ...config, databaseUrl: targetUrl, migrateDatabaseUrl: targetUrl }, async (target) => {
      if ((await listTenants(target)).length > 0)
        throw new CannotStart([
          'The other cell has tenants already: their connections, links and badges would become invalid.',
        ]);
      return inTransaction(target, () => copySecrets(source, target));
    }),
  );
}
