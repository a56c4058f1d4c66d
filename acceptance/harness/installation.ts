import { inject } from 'vitest';
import { createDatabase } from './database.ts';
import { OldClient } from './old-client.ts';
import { granted } from './plant.ts';
import { addTenant, firstAdmin, type Server, startServer } from './server.ts';

/** A customer of the installation, with what logs its administrator in. */
export type Customer = { tenantId: number; username: string; password: string };

export type Installation = {
  readonly databaseUrl: string;
  readonly servers: readonly [Server, Server];
  readonly customers: readonly Customer[];
  close(): Promise<void>;
};

/** Two servers that start at the same time on one empty database. */
export async function installPair({ tenants = 1, drainMs = 0 } = {}): Promise<Installation> {
  const database = await createDatabase(inject('durableClusterUrl'));
  const start = () => startServer({ databaseUrl: database.url, environment: { DRAIN_MS: String(drainMs) } });
  const servers = await Promise.all([start(), start()]);
  const customers: Customer[] = [{ tenantId: 1, ...firstAdmin }];
  for (let tenantId = 2; tenantId <= tenants; tenantId++) {
    const customer = { tenantId, username: `admin.${tenantId}`, password: firstAdmin.password };
    const { username: admin, password } = customer;
    await addTenant(database.url, { name: `Customer ${tenantId}`, admin, password });
    customers.push(customer);
  }
  const close = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
  };
  return { databaseUrl: database.url, servers, customers, close };
}

/** A client of the server with a token. */
export async function logIn(
  { baseUrl }: Pick<Server, 'baseUrl'>,
  { username, password }: { username: string; password: string } = firstAdmin,
): Promise<OldClient> {
  const client = new OldClient(baseUrl);
  granted(await client.logIn(username, password));
  return client;
}
