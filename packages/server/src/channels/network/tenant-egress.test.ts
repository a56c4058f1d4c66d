import { expect } from 'vitest';
import { startSmallMailServer } from '../../../../../acceptance/harness/mail/small-mail-server.ts';
import { buildApp } from '../../app.ts';
import { notAuthenticated } from '../../http/authorization.ts';
import { createTenant } from '../../people/create-tenant.ts';
import { type Client, test as withApp } from '../../testing/app.fixture.ts';
import { createEgress } from './egress.ts';

/** Two tenants, and a mail server on this machine that the operator has opened to the first of them only. */
const test = withApp
  .extend('running', () => startSmallMailServer())
  .extend('mailServer', ({ running }, { onCleanup }) => {
    onCleanup(running.stop);
    return running;
  })
  .extend('neighbour', ({ runtime }) => createTenant(runtime, { name: 'Neighbour' }))
  .extend('app', async ({ runtime, principals, mailServer }, { onCleanup }) => {
    const authenticate = async (token: string) => {
      const principal = principals.get(token);
      if (!principal) throw notAuthenticated('unknown token');
      return principal;
    };
    const channels = { box: undefined, egressOf: createEgress([`1=127.0.0.1:${mailServer.port}`]) };
    const app = buildApp(runtime, authenticate, { basePath: '', reference: false, channels });
    onCleanup(() => app.close());
    await app.ready();
    return app;
  });

/** The answer that a tenant gets for testing a mail channel with this port. */
async function tryPort(engineer: Client, port: number, host = '127.0.0.1'): Promise<unknown> {
  const settings = { host, port, security: 'none', from: 'alarm@plant.example' };
  const id = (
    await engineer.post('/channels', { name: `Mail ${port}`, kind: 'email', settings })
  ).json<number>();
  return (await engineer.post(`/channels/${id}/test`)).json();
}

test('a mail server that the operator opens to one tenant is closed to another', async ({
  client,
  mailServer,
  neighbour,
}) => {
  const works = { works: true, outcome: 'checked', reason: '' };
  expect(await tryPort(client('engineer'), mailServer.port)).toEqual(works);
  const told = await tryPort(client('engineer', { tenantId: neighbour }), mailServer.port);
  expect(told).toMatchObject({ works: false, reason: expect.stringContaining('EGRESS_ALLOW') });
});

test('a port beside the one that the operator opens is closed', async ({ client, onTestFinished }) => {
  const other = await startSmallMailServer();
  onTestFinished(other.stop);
  for (const host of ['127.0.0.1', 'localhost']) {
    const told = await tryPort(client('engineer'), other.port, host);
    expect(told).toMatchObject({ works: false, reason: expect.stringContaining('EGRESS_ALLOW') });
  }
});
