import { connect as connectSocket, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Egress } from './egress.ts';

/** No connection came about: nothing was sent, so nobody can have got it. */
export class NotConnected extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'NotConnected';
  }
}

/**
 * A lookup that gives only addresses the egress allows. The socket connects to what this answers and asks nobody
 * again, so a name that changes its mind between a check and the connection gains nothing.
 */
export function guardedLookup(egress: Egress, port: number): LookupFunction {
  return (hostname, options, done) => {
    egress.lookup(hostname, { all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const wanted = options.family === 4 || options.family === 6 ? options.family : undefined;
      const ofFamily = addresses.filter(({ family }) => wanted === undefined || family === wanted);
      const allowed = ofFamily.filter(({ address }) => egress.refusal(address, port) === undefined);
      const [first] = allowed;
      if (first === undefined) return done(notAllowed(egress, { hostname, port }, ofFamily[0]?.address), []);
      return options.all === true ? done(null, allowed) : done(null, first.address, first.family);
    });
  };
}

function notAllowed(
  egress: Egress,
  { hostname, port }: { hostname: string; port: number },
  address: string | undefined,
): NotConnected {
  const reason = address === undefined ? 'has no address' : egress.refusal(address, port);
  return new NotConnected(`${hostname}: ${reason}`);
}

/** A lookup is not asked for what is an address already: this is. */
export function refuseAddress(egress: Egress, hostname: string, port: number): NotConnected | undefined {
  const address = hostname.replace(/^\[|\]$/g, '');
  const reason = isIP(address) === 0 ? undefined : egress.refusal(address, port);
  return reason === undefined ? undefined : new NotConnected(reason);
}

/** An open TCP connection to where the egress allows one. Rejects with `NotConnected`. */
export function openSocket(
  egress: Egress,
  { host, port, timeoutMs }: { host: string; port: number; timeoutMs: number },
): Promise<Socket> {
  const refused = refuseAddress(egress, host, port);
  if (refused) return Promise.reject(refused);
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host, port, lookup: guardedLookup(egress, port) });
    const fail = (reason: string, cause?: unknown) => {
      socket.destroy();
      reject(new NotConnected(reason, cause));
    };
    socket.setTimeout(timeoutMs, () => fail(`${host}:${port} did not answer in ${timeoutMs} ms`));
    socket.once('error', (error) => fail(error.message, error));
    socket.once('connect', () => {
      const reason = egress.refusal(socket.remoteAddress ?? '', port);
      if (reason !== undefined) return fail(reason);
      socket.removeAllListeners();
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}
