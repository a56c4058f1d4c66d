import { createServer } from 'node:net';
import { connect } from 'node:tls';
import { readTlsMaterial } from '../http/server/tls-material.ts';
import type { ReadSettings } from '../settings/config.ts';
import { error, type Finding, ok } from './finding.ts';

const answerMs = 2_000;

type Port = {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly hostVariable: string;
  readonly portVariable: string;
  /** Whether this server has opened it. */
  isOurs(origin: Origin): Promise<boolean>;
};
type Origin = { readonly host: string; readonly port: number };

/** Whether the ports of the server are free, or open because it runs. */
export async function checkPorts(settings: ReadSettings): Promise<readonly Finding[]> {
  const { host, port, adminHost, adminPort } = settings;
  const main = { name: 'network.port', host, port, hostVariable: 'HOST', portVariable: 'PORT' };
  const admin = {
    name: 'network.admin-port',
    host: adminHost,
    port: adminPort,
    hostVariable: 'ADMIN_HOST',
    portVariable: 'ADMIN_PORT',
  };
  const ports: Port[] = [
    { ...main, isOurs: (origin) => isOurServer(settings, origin) },
    { ...admin, isOurs: (origin) => answers(origin, '/metrics', /^tocsin_/m) },
  ];
  const found = await Promise.all(ports.filter((one) => one.port !== 0).map(checkPort));
  return found.flat();
}

async function checkPort(one: Port): Promise<Finding[]> {
  const { name, host, port, hostVariable, portVariable } = one;
  const code = await tryToListen(one);
  if (code === undefined) return [ok(name, `Port ${port} of ${host} is free`)];
  if (code === 'EADDRINUSE') {
    if (await one.isOurs({ host: reachable(host), port }))
      return [ok(name, `Tocsin answers on port ${port} of ${host}`)];
    const stop = `stop the other program (\`ss -ltnp\` shows it), or set another ${portVariable}`;
    return [error(name, `Port ${port} of ${host} is in use by another program`, stop)];
  }
  const remedies: Record<string, string> = {
    EACCES: `set ${portVariable} to 1024 or more, or give the server CAP_NET_BIND_SERVICE`,
    EADDRNOTAVAIL: `set ${hostVariable} to an address of this machine, or to 0.0.0.0`,
  };
  const remedy = remedies[code] ?? `correct ${hostVariable} and ${portVariable}`;
  return [error(name, `Port ${port} of ${host} cannot be opened: ${code}`, remedy)];
}

/** Opens the port for a moment; the code of the error if that fails. */
function tryToListen({ host, port }: Origin): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const server = createServer();
  server.once('error', (fault: NodeJS.ErrnoException) => resolve(fault.code ?? fault.message));
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  return promise;
}

/** An address to connect to, for one to listen on. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** A server with TLS is recognized by its certificate, because it may ask clients for theirs. */
async function isOurServer({ tlsCertFile, tlsKeyFile }: ReadSettings, origin: Origin): Promise<boolean> {
  if (tlsCertFile === undefined || tlsKeyFile === undefined)
    return answers(origin, '/livez', /"status":"ok"/);
  const files = { cert: tlsCertFile, key: tlsKeyFile, clientCa: undefined, nodeCa: undefined };
  const { fingerprint256 } = readTlsMaterial(files).certificate;
  return (await fingerprintOf(origin)) === fingerprint256;
}

async function answers({ host, port }: Origin, path: string, wanted: RegExp): Promise<boolean> {
  const name = host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${name}:${port}${path}`, { signal: AbortSignal.timeout(answerMs) });
    return answer.ok && wanted.test(await answer.text());
  } catch {
    return false;
  }
}

function fingerprintOf({ host, port }: Origin): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  // Any certificate is accepted, because it is only compared, and nothing is sent.
  const socket = connect({ host, port, rejectUnauthorized: false, timeout: answerMs }, () => {
    resolve(socket.getPeerX509Certificate()?.fingerprint256);
    socket.destroy();
  });
  const giveUp = () => {
    resolve(undefined);
    socket.destroy();
  };
  socket.once('error', giveUp);
  socket.once('timeout', giveUp);
  return promise;
}
