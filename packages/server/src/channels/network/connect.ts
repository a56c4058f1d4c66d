import { connect as connectSocket, isIP, type LookupFunction, type Socket } from 'node:net';
import { faultReasons, NotConnected } from './connection-fault.ts';
import type { Egress } from './egress.ts';

/**
 * A DNS lookup that returns only allowed addresses. The socket connects to exactly these addresses, so a name that
 * changes between check and connection (DNS rebinding) gains nothing.
 */
export function guardedLookup(egress: Egress, port: number): LookupFunction {
  return (hostname, options, done) => {
    egress.lookup(hostname, { all: true }, (error, addresses) => {
      // The same answer as for a forbidden address, so that names in the operator's network cannot be guessed.
      if (error) return done(new NotConnected(faultReasons.notAllowed, error), []);
      const wanted = options.family === 4 || options.family === 6 ? options.family : undefined;
      const ofFamily = addresses.filter(({ family }) => wanted === undefined || family === wanted);
      const allowed = ofFamily.filter(({ address }) => egress.refusal(address, port) === undefined);
      const [first] = allowed;
      if (first === undefined) return done(refused(egress, ofFamily[0]?.address ?? '', port), []);
      return options.all === true ? done(null, allowed) : done(null, first.address, first.family);
    });
  };
}

function refused(egress: Egress, address: string, port: number): NotConnected {
  const reason = egress.refusal(address, port) ?? faultReasons.notAllowed;
  return new NotConnected(reason, new Error(`EGRESS_ALLOW does not name ${address} port ${port}`));
}

/** Checks a host that is an IP address already, for which Node.js makes no lookup. */
export function refuseAddress(egress: Egress, hostname: string, port: number): NotConnected | undefined {
  const address = hostname.replace(/^\[|\]$/g, '');
  const isAllowed = isIP(address) === 0 || egress.refusal(address, port) === undefined;
  return isAllowed ? undefined : refused(egress, address, port);
}

/** Checks the address that a socket is really connected to, before anything is written. */
export function refuseSocket(egress: Egress, socket: Socket, port: number): NotConnected | undefined {
  const { remoteAddress = '' } = socket;
  return egress.refusal(remoteAddress, port) === undefined ? undefined : refused(egress, remoteAddress, port);
}

/** Opens a TCP connection, if the egress allows it. Rejects with `NotConnected`. */
export function openSocket(
  egress: Egress,
  { host, port, timeoutMs }: { host: string; port: number; timeoutMs: number },
): Promise<Socket> {
  const refusal = refuseAddress(egress, host, port);
  if (refusal) return Promise.reject(refusal);
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host, port, lookup: guardedLookup(egress, port) });
    const fail = (error: Error) => {
      socket.destroy();
      reject(error instanceof NotConnected ? error : new NotConnected(faultReasons.noServer, error));
    };
    socket.setTimeout(timeoutMs, () => fail(new Error(`no connection in ${timeoutMs} ms`)));
    socket.once('error', fail);
    socket.once('connect', () => {
      const refusal = refuseSocket(egress, socket, port);
      if (refusal) return fail(refusal);
      socket.removeAllListeners();
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}
