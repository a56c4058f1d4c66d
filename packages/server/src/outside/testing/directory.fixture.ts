import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Attribute, Change, Client } from 'ldapts';
import { type Authority, makeAuthority } from '../../testing/certificates.ts';

const base = 'dc=plant,dc=example';
const rootDn = `cn=admin,${base}`;
const rootPassword = 'root of the directory';
const slapdPath = '/usr/sbin/slapd';

/** Anna and Bert of the directory. */
export const annasPassword = 'horse in the directory';

/** OpenLDAP on ports of its own, with two people and a group. It accepts passwords on encrypted connections only. */
export type TestDirectory = {
  readonly url: string;
  readonly encryptedUrl: string;
  readonly authority: Authority;
  /** Settings of the directory for the server. */
  settings(more?: object): object;
  add(dn: string, attributes: Record<string, string | string[]>): Promise<void>;
  remove(dn: string): Promise<void>;
  setPassword(dn: string, password: string): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

export const personDn = (uid: string) => `uid=${uid},${base}`;

export async function startDirectory(): Promise<TestDirectory> {
  if (!existsSync(slapdPath)) throw new Error('slapd is missing: apt-get install slapd');
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-ldap-'));
  const [port, tlsPort] = [await freePort(), await freePort()];
  const authority = await makeAuthority('Plant', folder);
  const { certFile, keyFile } = await authority.issue('directory');
  await mkdir(join(folder, 'data'));
  await writeFile(
    join(folder, 'slapd.conf'),
    configuration({ folder, certFile, keyFile, caFile: authority.caFile }),
  );
  const url = `ldap://127.0.0.1:${port}`;
  const encryptedUrl = `ldaps://127.0.0.1:${tlsPort}`;
  let slapd: ChildProcess | undefined;
  const start = async () => {
    const addresses = `${url}/ ${encryptedUrl}/`;
    slapd = spawn(slapdPath, ['-d', '0', '-f', join(folder, 'slapd.conf'), '-h', addresses], {
      stdio: 'ignore',
    });
    await opened(port);
    await opened(tlsPort);
  };
  const stop = async () => {
    const running = slapd;
    slapd = undefined;
    if (!running) return;
    running.kill('SIGTERM');
    await once(running, 'exit');
  };
  const asRoot = async (work: (client: Client) => Promise<void>) => {
    const client = new Client({ url: encryptedUrl, tlsOptions: { ca: authority.ca } });
    await client.bind(rootDn, rootPassword);
    await work(client);
    await client.unbind();
  };
  const add: TestDirectory['add'] = (dn, attributes) => asRoot((client) => client.add(dn, attributes));
  await start();
  await fill(add);
  return {
    url,
    encryptedUrl,
    authority,
    settings: (more = {}) => ({ ...settingsFor(encryptedUrl, authority), url, ...more }),
    add,
    remove: (dn) => asRoot((client) => client.del(dn)),
    setPassword: (dn, password) =>
      asRoot((client) => {
        const modification = new Attribute({ type: 'userPassword', values: [password] });
        return client.modify(dn, new Change({ operation: 'replace', modification }));
      }),
    stop,
    start,
    close: async () => {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}

function settingsFor(url: string, { ca }: Authority) {
  return {
    enabled: true,
    url,
    certificate: ca,
    bindDn: rootDn,
    bindPassword: rootPassword,
    baseDn: base,
    userFilter: '(uid={name})',
    idAttribute: 'entryUUID',
    nameAttribute: 'cn',
    groupAttribute: 'memberOf',
    groupRoles: [{ group: `CN=Operators,${base}`, role: 'operator' }],
    createUsers: true,
  };
}

export function person(uid: string, password = annasPassword): Record<string, string> {
  return {
    objectClass: 'inetOrgPerson',
    uid,
    cn: `${uid} of the directory`,
    sn: uid,
    userPassword: password,
  };
}

async function fill(add: TestDirectory['add']): Promise<void> {
  await add(base, { objectClass: ['dcObject', 'organization'], dc: 'plant', o: 'Plant' });
  for (const uid of ['anna', 'bert', 'canteen']) await add(personDn(uid), person(uid));
  const member = [personDn('anna'), personDn('bert')];
  await add(`cn=operators,${base}`, { objectClass: 'groupOfNames', cn: 'operators', member });
}

function configuration(files: { folder: string; certFile: string; keyFile: string; caFile: string }): string {
  const { folder, certFile, keyFile, caFile } = files;
  return [
    ...['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`),
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    'moduleload memberof',
    `pidfile ${folder}/slapd.pid`,
    `TLSCACertificateFile ${caFile}`,
    `TLSCertificateFile ${certFile}`,
    `TLSCertificateKeyFile ${keyFile}`,
    'security simple_bind=112',
    'database mdb',
    `suffix "${base}"`,
    `rootdn "${rootDn}"`,
    `rootpw "${rootPassword}"`,
    `directory ${folder}/data`,
    'overlay memberof',
    '',
  ].join('\n');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  server.close();
  await once(server, 'close');
  return address.port;
}

async function opened(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(100);
  }
  throw new Error('slapd does not start');
}
