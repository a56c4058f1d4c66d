import { randomBytes, type X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Server, ServerOptions } from 'node:https';
import { type SecureContextOptions, TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { readTlsMaterial, stampOf, type TlsFiles, type TlsMaterial } from './tls-material.ts';

/** The certificates of this server, as they are in the files. */
export type ServerTls = {
  readonly validTo: Date;
  /** For the HTTPS server at its start. */
  serverOptions(): ServerOptions;
  /** Options for requests to other servers of the installation: CA and client certificate. */
  nodeOptions(): SecureContextOptions;
  /** Whether a request comes from another server of the installation; always true without a CA for servers. */
  isNode(request: IncomingMessage): boolean;
  /** From now on `refresh` updates the server; open connections are not affected. */
  attach(server: Server): void;
  /** Reads the files again if one of them has changed. Files that cannot be used are logged, and the former ones stay in use. */
  refresh(): Promise<void>;
};

/** A client that sends nothing must not hold a connection for long. */
const handshakeMs = 10_000;
/** Limit for a chain of certificates. */
const maxDepth = 10;

/** Throws if the files cannot be used. */
export function openServerTls(files: TlsFiles, log: Logger): ServerTls {
  let stamp = stampOf(files);
  let seen = stamp;
  let material = readTlsMaterial(files);
  const servers: Server[] = [];
  return {
    get validTo() {
      return material.validTo;
    },
    serverOptions: () => ({
      ...contextOf(material),
      ...clientCertificateOptions(material),
      handshakeTimeout: handshakeMs,
    }),
    nodeOptions: () => {
      const { cert, key, nodeCa } = material;
      return { cert, key, ...(nodeCa !== undefined && { ca: nodeCa }) };
    },
    isNode: ({ socket }) => material.nodeCa === undefined || isOfNode(socket, material.nodeCas),
    attach: (server) => void servers.push(server),
    refresh: async () => {
      const now = stampOf(files);
      const isSettled = now === seen;
      seen = now;
      // Files that are still being written are read the next time.
      if (now === stamp || !isSettled) return;
      stamp = now;
      try {
        material = readTlsMaterial(files);
        for (const server of servers) renew(server, material);
        log.info({ validTo: material.validTo }, 'certificate read again');
      } catch (error) {
        log.error({ err: error }, 'certificate not read again: the former one stays in use');
      }
    },
  };
}

/** An expired certificate locks all clients out, so its expiry is a metric. */
export function watchCertificate(registry: Registry, tls: Pick<ServerTls, 'validTo'>): void {
  const gauge: Gauge = new Gauge({
    name: 'tocsin_tls_certificate_expiry_timestamp_seconds',
    help: 'When the certificate in use expires, in seconds since 1970.',
    registers: [registry],
    collect: () => gauge.set(tls.validTo.getTime() / 1_000),
  });
}

function contextOf({ cert, key, clientCa, nodeCa }: TlsMaterial): SecureContextOptions {
  const ca = [clientCa, nodeCa].filter((each) => each !== undefined);
  return { cert, key, minVersion: 'TLSv1.2', ...(ca.length > 0 && { ca }) };
}

/** Without a CA for clients, a certificate is requested, but required only from other servers. */
function clientCertificateOptions({
  clientCa,
  nodeCa,
}: TlsMaterial): Pick<ServerOptions, 'requestCert' | 'rejectUnauthorized'> {
  return { requestCert: (clientCa ?? nodeCa) !== undefined, rejectUnauthorized: clientCa !== undefined };
}

function renew(server: Server, material: TlsMaterial): void {
  server.setSecureContext(contextOf(material));
  // Sessions that began under the former certificates cannot be resumed.
  server.setTicketKeys(randomBytes(48));
}

function isOfNode(socket: unknown, nodeCas: readonly X509Certificate[]): boolean {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return false;
  let certificate = socket.getPeerX509Certificate();
  for (let depth = 0; certificate !== undefined && depth < maxDepth; depth++) {
    const each = certificate;
    if (nodeCas.some((ca) => each.checkIssued(ca) && each.verify(ca.publicKey))) return true;
    certificate = each.issuerCertificate;
  }
  return false;
}
