import { connect as connectSocket, isIP, type LookupFunction, type Socket } from 'node:net';
import { faultReasons, NotConnected } from './connection-fault.ts';
import type { Egress } from './egress.ts';

/**
 * A lookup that gives only addresses the egress allows. The socket connects to what this answers and asks nobody
 * again, so a name that changes its mind between a check and the connection gains nothing.
 */
export function guardedLookup(egress: Egress, port: number): LookupFunction {
  return (hostname, options, done) => {
    egress.lookup(hostname, { all: true }, (error, addresses) => {
      // As if it led to an address that is not allowed: names of the operator's network are not to be guessed either.
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

/** A lookup is not asked for what is an address already: this is. */
export function refuseAddress(egress: Egress, hostname: string, port: number): NotConnected | undefined {
  const address = hostname.replace(/^\[|\]$/g, '');
  const isAllowed = isIP(address) === 0 || egress.refusal(address, port) === undefined;
  return isAllowed ? undefined : refused(egress, address, port);
}

/** Looks once more at where a socket has really got to, before anything is written. */
export function refuseSocket(egress: Egress, socket: Socket, port: number): NotConnected | undefined {
  const { remoteAddress = '' } = socket;
  return egress.refusal(remoteAddress, port) === undefined ? undefined : refused(egress, remoteAddress, port);
}

/** An open TCP connection to where the egress allows one. Rejects with `NotConnected`. */
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
      const strayed = refuseSocket(egress, socket, port);
      if (strayed) return fail(strayed);
      socket.removeAllListeners();
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}
