import { randomBytes, type X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Server, ServerOptions } from 'node:https';
import { type SecureContextOptions, TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { readTlsMaterial, stampOf, type TlsFiles, type TlsMaterial } from './tls-material.ts';

/** The certificates of this server, as they are in the files now. */
export type ServerTls = {
  readonly validTo: Date;
  /** For the HTTPS server at its start. */
  serverOptions(): ServerOptions;
  /** For asking another server of the installation: whom to trust, and what to show. */
  nodeOptions(): SecureContextOptions;
  /** Whether a request comes from another server of the installation; anybody may be one where there is no CA for it. */
  isNode(request: IncomingMessage): boolean;
  /** From then on the server uses what is in the files; connections that are open stay as they are. */
  attach(server: Server): void;
  /** Reads the files again if one of them has changed. What cannot be used is logged, and what was before stays. */
  refresh(): Promise<void>;
};

/** A client that says nothing must not hold a connection for long. */
const handshakeMs = 10_000;
/** Certificates from that of a server to its CA. */
const mostDepth = 10;

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
    serverOptions: () => ({ ...contextOf(material), ...askFor(material), handshakeTimeout: handshakeMs }),
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
      // What is still being written is left for the next time.
      if (now === stamp || !isSettled) return;
      stamp = now;
      try {
        material = readTlsMaterial(files);
        for (const server of servers) renew(server, material);
        log.info({ validTo: material.validTo }, 'certificate read again');
      } catch (error) {
        log.error({ err: error }, 'certificate not read again: the one before it stays in use');
      }
    },
  };
}

/** An expired certificate keeps everybody out: whoever watches the server sees it come. */
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

/** Without a CA for clients a certificate is asked for, and needed only of those who say that they are servers. */
function askFor({
  clientCa,
  nodeCa,
}: TlsMaterial): Pick<ServerOptions, 'requestCert' | 'rejectUnauthorized'> {
  return { requestCert: (clientCa ?? nodeCa) !== undefined, rejectUnauthorized: clientCa !== undefined };
}

function renew(server: Server, material: TlsMaterial): void {
  server.setSecureContext(contextOf(material));
  // A session that began under other certificates is not taken up again.
  server.setTicketKeys(randomBytes(48));
}

function isOfNode(socket: unknown, nodeCas: readonly X509Certificate[]): boolean {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return false;
  let certificate = socket.getPeerX509Certificate();
  for (let depth = 0; certificate !== undefined && depth < mostDepth; depth++) {
    const each = certificate;
    if (nodeCas.some((ca) => each.checkIssued(ca) && each.verify(ca.publicKey))) return true;
    certificate = each.issuerCertificate;
  }
  return false;
}
