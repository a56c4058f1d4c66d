import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, createServer, type RequestOptions, request } from 'node:https';
import { type AddressInfo, connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { type HubSite, test } from './hub/testing/hub.fixture.ts';
import type { RunningServer } from './serve.ts';
import { readConfig } from './settings/config.ts';
import {
  type Authority,
  type Certificate,
  makeAuthority as makeAuthorityIn,
} from './testing/certificates.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const makeAuthority = async (name: string) => makeAuthorityIn(name, await newFolder());

type Answer = { status: number; body: string; isReused: boolean; certificate: string };

/** A resumed session does not show the certificate, so sessions are not cached. */
const freshConnections = new Agent({ maxCachedSessions: 0 });

/** Sends one request over HTTPS; the options may contain a client certificate. */
function ask(url: string, options: RequestOptions & { ca: string }, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const asking = request(url, { method, agent: freshConnections, ...options });
    asking.on('error', reject);
    asking.on('response', (response: IncomingMessage) => {
      const { subject } = (response.socket as TLSSocket).getPeerCertificate();
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: text,
          isReused: asking.reusedSocket,
          certificate: String(subject?.CN),
        }),
      );
    });
    asking.end(body);
  });
}

async function tokenOf({ url }: RunningServer, { ca }: Authority, shown?: Certificate): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const form = 'grant_type=password&username=admin&password=correct+horse+battery';
  const options = { ca, headers, method: 'POST', ...(shown && { cert: shown.cert, key: shown.key }) };
  const answer = await ask(`${url}/api/v1/auth/login`, options, form);
  return (JSON.parse(answer.body) as { access_token: string }).access_token;
}

/** A folder with a certificate that can be replaced. */
async function folderWith({ certFile, keyFile }: Certificate) {
  const folder = await newFolder();
  const files = { tlsCertFile: join(folder, 'server.pem'), tlsKeyFile: join(folder, 'server.key') };
  const put = async (from: Pick<Certificate, 'certFile' | 'keyFile'>) => {
    await copyFile(from.certFile, files.tlsCertFile);
    await copyFile(from.keyFile, files.tlsKeyFile);
  };
  await put({ certFile, keyFile });
  return { files, put };
}

async function openSocket({ url }: RunningServer, { ca }: Authority, token: string) {
  const socket = new WebSocket(`${url.replace('https', 'wss')}/alarmHub?access_token=${token}`, { ca });
  onTestFinished(() => socket.terminate());
  const heard: string[] = [];
  socket.on('message', (data) => heard.push((data as Buffer).toString()));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.send('{"protocol":"json","version":1}\u001e');
  await expect.poll(() => heard.length).toBe(1);
  return { socket, heard };
}

test('a new certificate is used without dropping connections, and a broken one is not used', async ({
  site,
}) => {
  const authority = await makeAuthority('Plant');
  const { ca } = authority;
  const [first, second] = [await authority.issue('first'), await authority.issue('second')];
  const { files, put } = await folderWith(first);
  const server = await site.start(files);
  expect(server.url).toMatch(/^https:/);
  const token = await tokenOf(server, authority);
  const { socket, heard } = await openSocket(server, authority, token);
  const agent = new Agent({ keepAlive: true, maxSockets: 1, maxCachedSessions: 0 });
  onTestFinished(() => agent.destroy());
  const live = `${server.url}/livez`;
  expect(await ask(live, { ca, agent })).toMatchObject({
    status: 200,
    isReused: false,
    certificate: 'first',
  });

  await put({ certFile: second.certFile, keyFile: first.keyFile });
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  expect((await ask(live, { ca })).certificate, 'the key is that of another one').toBe('first');

  await put(second);
  await expect.poll(async () => (await ask(live, { ca })).certificate, { timeout: 10_000 }).toBe('second');
  expect(await ask(live, { ca, agent })).toMatchObject({ status: 200, isReused: true, certificate: 'first' });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  await ask(`${server.url}/api/v1/alarms`, { ca, agent, headers, method: 'POST' }, '{"path":"pump"}');
  await expect.poll(() => heard.at(-1)).toContain('"path":"pump"');
  expect(socket.readyState).toBe(WebSocket.OPEN);
}, 40_000);

/** Whether the server accepts such a connection; it may refuse after the client's side of the handshake. */
function isAccepted({ url }: RunningServer, options: ConnectionOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ...options });
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
    socket.on('secureConnect', () =>
      socket.write('GET /livez HTTP/1.1\r\nHost: plant\r\nConnection: close\r\n\r\n'),
    );
    socket.on('data', (data) => resolve(String(data).startsWith('HTTP/1.1 200')));
  });
}

test('a running server accepts TLS 1.2 and 1.3, and neither older versions nor plain HTTP', async ({
  site,
}) => {
  const authority = await makeAuthority('Plant');
  const { files } = await folderWith(await authority.issue('server'));
  const server = await site.start(files);
  const { ca } = authority;
  expect(await isAccepted(server, { ca, maxVersion: 'TLSv1.3' })).toBe(true);
  expect(await isAccepted(server, { ca, maxVersion: 'TLSv1.2' })).toBe(true);
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
  expect(await isAccepted(server, { ca, ...old })).toBe(false);
  await expect(fetch(server.url.replace('https', 'http')), 'nor in clear').rejects.toThrow('fetch failed');
});

test('if clients need a certificate, those without one or of another CA are refused', async ({ site }) => {
  const [authority, stranger] = [await makeAuthority('Plant'), await makeAuthority('Plant')];
  const { files } = await folderWith(await authority.issue('server'));
  const devices = await makeAuthority('Devices');
  const server = await site.start({ ...files, tlsClientCaFile: devices.caFile });
  const { ca } = authority;
  const shown = async (from: Authority, name: string) => {
    const { cert, key } = await from.issue(name);
    return { ca, cert, key };
  };
  expect(await isAccepted(server, await shown(devices, 'sensor'))).toBe(true);
  expect(await isAccepted(server, { ca })).toBe(false);
  expect(await isAccepted(server, await shown(stranger, 'sensor'))).toBe(false);
  expect(await isAccepted(server, await shown(authority, 'other'))).toBe(false);
  expect(await isAccepted(server, { ...(await shown(devices, 'old')), maxVersion: 'TLSv1.2' })).toBe(true);
  expect(await isAccepted(server, { ca, maxVersion: 'TLSv1.2' })).toBe(false);
});

const forwarded = { 'x-signalr-forwarded': '1' };

/** Negotiates a connection at one server, and polls it at another. */
async function pollAcross(owner: RunningServer, other: RunningServer, authority: Authority, token: string) {
  const { ca } = authority;
  const headers = { authorization: `Bearer ${token}` };
  const negotiated = await ask(`${owner.url}/alarmHub/negotiate?negotiateVersion=1`, { ca, headers }, '');
  const { connectionToken } = JSON.parse(negotiated.body) as { connectionToken: string };
  return ask(`${other.url}/alarmHub?id=${connectionToken}`, { ca, headers });
}

async function startNode(site: HubSite, authority: Authority, nodes: Authority, name: string) {
  const { files } = await folderWith(await authority.issue(name));
  return site.start({ ...files, nodeCaFile: nodes.caFile });
}

test('servers with certificates forward requests to each other, and a foreign certificate is refused', async ({
  site,
}) => {
  const [nodes, foreign] = [await makeAuthority('Nodes'), await makeAuthority('Nodes')];
  const [one, two] = [await startNode(site, nodes, nodes, 'one'), await startNode(site, nodes, nodes, 'two')];
  const token = await tokenOf(one, nodes);
  expect((await pollAcross(one, two, nodes, token)).status, 'passed on').toBe(200);

  const headers = { authorization: `Bearer ${token}`, ...forwarded };
  const intruder = await foreign.issue('intruder');
  const hub = `${one.url}/alarmHub/negotiate?negotiateVersion=1`;
  const { ca } = nodes;
  expect((await ask(hub, { ca, headers }, '')).status, 'without a certificate').toBe(403);
  const shown = { cert: intruder.cert, key: intruder.key };
  expect((await ask(hub, { ca, headers, ...shown }, '')).status, 'with a foreign one').toBe(403);
  const { cert, key } = await nodes.issue('three');
  expect((await ask(hub, { ca, headers, cert, key }, '')).status, 'with a good one').toBe(200);
});

test('a device certificate is not accepted as a server certificate', async ({ site }) => {
  const [nodes, devices] = [await makeAuthority('Nodes'), await makeAuthority('Devices')];
  const { files } = await folderWith(await nodes.issue('one'));
  const server = await site.start({ ...files, nodeCaFile: nodes.caFile, tlsClientCaFile: devices.caFile });
  const [device, node] = [await devices.issue('sensor'), await nodes.issue('two')];
  const { ca } = nodes;
  const token = await tokenOf(server, nodes, device);
  const negotiate = (headers: Record<string, string>, { cert, key }: Certificate) =>
    ask(
      `${server.url}/alarmHub/negotiate?negotiateVersion=1`,
      { ca, cert, key, headers: { authorization: `Bearer ${token}`, ...headers } },
      '',
    );
  expect((await negotiate({}, device)).status, 'for itself').toBe(200);
  expect((await negotiate(forwarded, device)).status, 'as a server').toBe(403);
  expect((await negotiate(forwarded, node)).status, 'a server').toBe(200);
});

test('a request is not forwarded to a server with a foreign certificate', async ({ site }) => {
  const [nodes, foreign] = [await makeAuthority('Nodes'), await makeAuthority('Nodes')];
  const heard: string[] = [];
  const { cert, key } = await foreign.issue('intruder');
  const intruder = createServer({ cert, key }, (asked, response) => {
    heard.push(asked.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => intruder.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void intruder.close());
  const nodeAddress = `https://127.0.0.1:${(intruder.address() as AddressInfo).port}`;
  const { files } = await folderWith(await nodes.issue('one'));
  const one = await site.start({ ...files, nodeCaFile: nodes.caFile, nodeAddress });
  const two = await startNode(site, nodes, nodes, 'two');
  const token = await tokenOf(one, nodes);
  expect((await pollAcross(one, two, nodes, token)).status).toBe(404);
  expect(heard).toEqual([]);
});

test('a stopping server answers pending requests over TLS, and does not wait for idle connections', async ({
  site,
}) => {
  const authority = await makeAuthority('Plant');
  const { files } = await folderWith(await authority.issue('server'));
  const server = await site.start(files);
  const token = await tokenOf(server, authority);
  const { ca } = authority;
  const lock = new pg.Client({ connectionString: site.databaseUrl });
  await lock.connect();
  await lock.query('begin; lock table stations in exclusive mode');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const waiting = ask(`${server.url}/api/v1/stations`, { ca, headers }, '{"name":"North"}');
  await expect
    .poll(async () => (await lock.query('select from pg_locks where not granted')).rowCount)
    .toBeGreaterThan(0);
  const port = Number(new URL(server.url).port);
  const plain = connectPlain(port, '127.0.0.1');
  const secure = connect({ port, host: '127.0.0.1', ca });
  const closed = [plain, secure].map(
    (socket) => new Promise((resolve) => socket.on('error', resolve).on('close', resolve)),
  );
  await Promise.all([once(plain, 'connect'), once(secure, 'secureConnect')]);

  const stopped = server.stop();
  // By then the server has ended the connections on which nothing was asked.
  setTimeout(() => void lock.query('commit'), 1_000);
  expect((await waiting).status).toBe(200);
  await Promise.all([stopped, ...closed]);
  await lock.end();
});

test('a server does not start with a certificate that does not fit its key', async ({ site }) => {
  const authority = await makeAuthority('Plant');
  const [one, other] = [await authority.issue('one'), await authority.issue('other')];
  const start = (more: object) =>
    site.start({ tlsCertFile: one.certFile, tlsKeyFile: other.keyFile, ...more });
  await expect(start({})).rejects.toThrow(/cannot be used with .*other\.key/);
  await expect(start({ tlsKeyFile: join(tmpdir(), 'gone.key') })).rejects.toThrow(/gone\.key/);
  const empty = join(await newFolder(), 'empty.pem');
  await writeFile(empty, '');
  await expect(start({ tlsCertFile: empty })).rejects.toThrow(/has no PEM/);
});

test('contradictory settings of TLS are refused', () => {
  const faults = (more: Record<string, string>) => () =>
    readConfig({ DATABASE_URL: 'postgres:///tocsin', ...more });
  const both = { TLS_CERT_FILE: '/server.pem', TLS_KEY_FILE: '/server.key' };
  expect(faults({ TLS_CERT_FILE: '/server.pem' })).toThrow(/go together/);
  expect(faults({ TLS_CLIENT_CA_FILE: '/ca.pem' })).toThrow(/needs TLS_CERT_FILE/);
  expect(faults({ NODE_CA_FILE: '/ca.pem' })).toThrow(/needs TLS_CERT_FILE/);
  expect(faults({ ...both, NODE_ADDRESS: 'http://10.0.0.7:8080' })).toThrow(/speaks HTTPS only/);
  expect(faults({ ...both, NODE_ADDRESS: 'https://10.0.0.7:8080', NODE_CA_FILE: '/ca.pem' })).not.toThrow();
});
