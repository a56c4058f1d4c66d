import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { freePort } from '../../../tools/postgres-cluster.ts';
import { createDatabase } from '../database.ts';
import { type PhoneCompany, startPhoneCompany } from '../phone-company/phone-company.ts';
import { startServer } from '../server.ts';

/** A server on a database without a tenant, and a phone company that it could call by. */
export type EmptyInstallation = {
  readonly baseUrl: string;
  /** The one-time code that the server has printed. */
  readonly code: string;
  readonly company: PhoneCompany;
  readonly callbackSecret: string;
  close(): Promise<void>;
};

export async function openEmptyInstallation(
  settings: Record<string, string> = {},
): Promise<EmptyInstallation> {
  const database = await createDatabase(inject('durableClusterUrl'));
  const callbackSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const company = await startPhoneCompany({ callbackSecret });
  const port = String(await freePort());
  const server = await startServer({
    databaseUrl: database.url,
    environment: {
      DRAIN_MS: '0',
      ROLES: 'api,hub,dispatch',
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      EGRESS_ALLOW: '127.0.0.0/8:*',
      FIRST_ADMIN_USERNAME: '',
      FIRST_ADMIN_PASSWORD_FILE: '',
      ...settings,
    },
  });
  const [code] = /[A-Z0-9]{4}(?:-[A-Z0-9]{4})+/.exec(server.output()) ?? [];
  if (code === undefined) throw new Error(`the server has printed no set-up code:\n${server.output()}`);
  return {
    baseUrl: server.baseUrl,
    code,
    company,
    callbackSecret,
    close: async () => {
      await server.stop();
      await company.stop();
      await database.drop();
    },
  };
}
