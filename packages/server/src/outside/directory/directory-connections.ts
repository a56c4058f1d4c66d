import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { Client } from 'ldapts';
import { openSocket } from '../../channels/network/connect.ts';
import type { EgressOf } from '../../channels/network/egress.ts';
import { createSemaphore, type Semaphore } from '../../common/semaphore.ts';
import { DirectoryAway } from './directory-away.ts';

/** Where the directory is, and who searches it. */
export type DirectoryAccess = {
  readonly tenantId: number;
  readonly url: string;
  /** Empty: the authorities of the system. */
  readonly certificate: string;
  readonly bindDn: string;
  readonly bindPassword: string;
};

/** Runs `work` on an encrypted connection to a directory. Throws `DirectoryAway` if that is not possible. */
export type WithDirectory = <Result>(
  access: DirectoryAccess,
  work: (client: Client) => Promise<Result>,
) => Promise<Result>;

/** For a whole conversation with the directory. */
const timeoutMs = 5_000;
const maxConnections = 4;
const maxWaiting = 50;
const ports = { 'ldap:': 389, 'ldaps:': 636 };

/** Each conversation has a connection of its own. A tenant has a few at a time, so that a slow directory holds up nobody else. */
export function createDirectoryConnections(egressOf: EgressOf): WithDirectory {
  const semaphores = new Map<number, Semaphore>();
  return (access, work) => {
    const { tenantId } = access;
    const semaphore = semaphores.get(tenantId) ?? createSemaphore(maxConnections);
    semaphores.set(tenantId, semaphore);
    if (semaphore.waiting >= maxWaiting)
      return Promise.reject(new DirectoryAway('too many requests wait for it'));
    return semaphore.run(() => converse(egressOf, access, work));
  };
}

async function converse<Result>(
  egressOf: EgressOf,
  access: DirectoryAccess,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const url = new URL(access.url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || ports[url.protocol as keyof typeof ports];
  const socket = await openSocket(egressOf(access.tenantId), { host, port, timeoutMs }).catch(
    (error: unknown) => {
      throw DirectoryAway.because(error);
    },
  );
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    socket.destroy();
    late.reject(new DirectoryAway(`no answer in ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    const conversation = encrypted(socket, access).then((client) => work(client));
    conversation.catch(() => {});
    return await Promise.race([conversation, late.promise]);
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** Nothing is sent before the certificate was checked, except the wish to encrypt. */
async function encrypted(socket: Socket, { url, certificate }: DirectoryAccess): Promise<Client> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const ca = certificate === '' ? {} : { ca: certificate };
  const tls: ConnectionOptions = { host, rejectUnauthorized: true, ...ca };
  const settings = { url, timeout: timeoutMs, connectTimeout: timeoutMs };
  try {
    if (url.startsWith('ldaps:')) {
      // The client would send before the certificate is checked, if it made this connection itself.
      const secured = connectTls({ ...tls, socket });
      await once(secured, 'secureConnect');
      return new Client({ ...settings, createSecureConnection: onlyOnce(secured) });
    }
    const client = new Client({ ...settings, createConnection: onlyOnce(socket) });
    await client.startTLS(tls);
    return client;
  } catch (error) {
    throw DirectoryAway.because(error);
  }
}

/** The client would connect again after a lost connection, and then without encryption. */
function onlyOnce<Kind>(connection: Kind): () => Kind {
  let isUsed = false;
  return () => {
    if (isUsed) throw new DirectoryAway('the connection was lost');
    isUsed = true;
    return connection;
  };
}
