import { inject } from 'vitest';
import { createDatabase } from './database.ts';
import { HttpClient } from './http/http-client.ts';
import { granted } from './plant.ts';
import { addTenant, firstAdmin, type Server, startServer } from './server.ts';

/** A tenant of the installation and the login of its administrator. */
export type TenantLogin = { tenantId: number; username: string; password: string };

export type Installation = {
  readonly databaseUrl: string;
  readonly servers: readonly [Server, Server];
  readonly tenants: readonly TenantLogin[];
  close(): Promise<void>;
};

/** Starts two servers at the same time on one empty database. */
export async function installPair({ tenantCount = 1, drainMs = 0 } = {}): Promise<Installation> {
  const database = await createDatabase(inject('durableClusterUrl'));
  const start = () => startServer({ databaseUrl: database.url, environment: { DRAIN_MS: String(drainMs) } });
  const servers = await Promise.all([start(), start()]);
  const tenants: TenantLogin[] = [{ tenantId: 1, ...firstAdmin }];
  for (let tenantId = 2; tenantId <= tenantCount; tenantId++) {
    const login = { tenantId, username: `admin.${tenantId}`, password: firstAdmin.password };
    const { username: admin, password } = login;
    await addTenant(database.url, { name: `Tenant ${tenantId}`, admin, password });
    tenants.push(login);
  }
  const close = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
  };
  return { databaseUrl: database.url, servers, tenants, close };
}

/** A logged-in client of the server. */
export async function logIn(
  { baseUrl }: Pick<Server, 'baseUrl'>,
  { username, password }: { username: string; password: string } = firstAdmin,
): Promise<HttpClient> {
  const client = new HttpClient(baseUrl);
  granted(await client.logIn(username, password));
  return client;
}
