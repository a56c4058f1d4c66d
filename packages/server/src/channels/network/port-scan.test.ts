import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'vitest';
import { startSmallMailServer } from '../../../../../acceptance/harness/mail/small-mail-server.ts';
import { buildApp } from '../../app.ts';
import { createSecretBox } from '../../common/secret-box.ts';
import { notAuthenticated } from '../../http/authorization.ts';
import { createTenant } from '../../people/create-tenant.ts';
import { type Client, test as withApp } from '../../testing/app.fixture.ts';
import { createEgress } from './egress.ts';

const box = createSecretBox([Buffer.alloc(32, 1)]);
const secret = Buffer.alloc(32, 7).toString('base64');
const banner = 'SSH-2.0-OpenSSH_9.9';

async function listen(greet: (socket: Socket) => void): Promise<{ port: number; server: Server }> {
  const server = createServer((socket) => greet(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as { port: number }).port, server };
}

/** Ports that an intruder would look for: a mail server, a shell, a silent one, and a closed one. */
async function openPorts() {
  const mail = await startSmallMailServer();
  const shell = await listen((socket) => socket.write(`${banner}\r\n`));
  const silent = await listen(() => undefined);
  const gone = await listen(() => undefined);
  gone.server.close();
  const stop = async () => {
    await mail.stop();
    for (const { server } of [shell, silent]) server.close();
  };
  return { mail: mail.port, shell: shell.port, silent: silent.port, closed: gone.port, stop };
}

/** The operator opens this machine to the first tenant, and not to its neighbour. */
const test = withApp
  .extend('opened', () => openPorts())
  .extend('ports', ({ opened }, { onCleanup }) => {
    onCleanup(opened.stop);
    return opened;
  })
  .extend('neighbour', ({ runtime }) => createTenant(runtime, { name: 'Neighbour' }))
  .extend('app', async ({ runtime, principals }, { onCleanup }) => {
    const authenticate = async (token: string) => {
      const principal = principals.get(token);
      if (!principal) throw notAuthenticated('unknown token');
      return principal;
    };
    const channels = { box, egressOf: createEgress(['1=127.0.0.1:*']) };
    const app = buildApp(runtime, authenticate, { basePath: '', reference: false, channels });
    onCleanup(() => app.close());
    await app.ready();
    return app;
  });

type Try = { channel: object; asked?: object };
type Connector = (host: string, port: number) => Try;

const byMail = (security: string): Connector => {
  const from = 'alarm@plant.example';
  return (host, port) => ({ channel: { kind: 'email', settings: { host, port, security, from } } });
};
const byPhones: Connector = (host, port) => ({
  channel: { kind: 'simulated', settings: { url: `http://${host}:${port}` } },
});
const byWebhook = (scheme: string): Connector => {
  return (host, port) => ({
    channel: { kind: 'webhook', settings: { secret } },
    asked: { address: `${scheme}://${host}:${port}/` },
  });
};

const ways: { by: string; way: Connector }[] = [
  { by: 'mail', way: byMail('none') },
  { by: 'encrypted mail', way: byMail('tls') },
  { by: 'the phone company', way: byPhones },
  { by: 'webhook', way: byWebhook('http') },
  { by: 'encrypted webhook', way: byWebhook('https') },
];

/** The answer that a tenant gets for testing a channel. */
async function learn(engineer: Client, { channel, asked }: Try): Promise<string> {
  const created = await engineer.post('/channels', { name: 'Look', ...channel });
  expect(created.statusCode).toBe(200);
  return (await engineer.post(`/channels/${created.json<number>()}/test`, asked)).body;
}

test.for(ways)(
  'a scan of this machine by $by reveals nothing',
  async ({ way }, { client, ports, neighbour }) => {
    const intruder = client('admin', { tenantId: neighbour });
    const tries = [
      way('127.0.0.1', ports.mail),
      way('127.0.0.1', ports.shell),
      way('127.0.0.1', ports.silent),
      way('127.0.0.1', ports.closed),
      way('localhost', ports.shell),
      way('nosuchhost', ports.shell),
      way('10.11.12.13', 25),
    ];
    const learned = new Set<string>();
    for (const one of tries) learned.add(await learn(intruder, one));
    expect([...learned]).toEqual([expect.stringContaining('EGRESS_ALLOW')]);
  },
);

test.for(ways.filter(({ by }) => by.includes('mail') || by.includes('encrypted')))(
  'where the operator allows it, a test by $by reveals only whether the server of the tenant answers',
  async ({ way }, { client, ports }) => {
    const engineer = client('engineer');
    const learned = new Set<string>();
    for (const port of [ports.shell, ports.silent, ports.closed])
      learned.add(await learn(engineer, way('127.0.0.1', port)));
    expect([...learned]).toEqual([expect.stringContaining('nothing answers there as it should')]);
  },
);

test.for(ways)('the text of a server is not revealed by $by', async ({ way }, { client, ports }) => {
  const learned = await learn(client('engineer'), way('127.0.0.1', ports.shell));
  expect(learned).toContain('"works":false');
  expect(learned).not.toMatch(/SSH|127\.0\.0\.1|Parse|ECONN|0A0|wrong version/i);
});
