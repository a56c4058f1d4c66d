import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { openSocket } from '../network/connect.ts';
import {
  ConnectionFault,
  faultReasons,
  NotConnected,
  notConnectedReason,
} from '../network/connection-fault.ts';
import type { Egress } from '../network/egress.ts';
import type { Trunk } from './sip-settings.ts';

/** The address of a trunk as the egress guard allows it, and the address of this machine towards it. */
export type TrunkAddress = { readonly remote: string; readonly local: string };

const connectMs = 3_000;

/**
 * Resolves and checks the trunk. baresip opens its own sockets, so it gets this address and never the name. Rejects with
 * `NotConnected`.
 */
export async function findTrunk(egress: Egress, trunk: Pick<Trunk, 'host' | 'port'>): Promise<TrunkAddress> {
  const candidates = await addressesOf(egress, trunk.host);
  const remote = candidates.find((address) => egress.refusal(address, trunk.port) === undefined);
  if (remote === undefined) {
    const cause = new Error(`EGRESS_ALLOW does not name ${candidates.join(', ')} port ${trunk.port}`);
    throw new NotConnected(faultReasons.notAllowed, cause);
  }
  return { remote, local: await localAddressTowards(remote, trunk.port) };
}

async function addressesOf(egress: Egress, host: string): Promise<string[]> {
  if (isIP(host) === 4) return [host];
  return new Promise((resolve, reject) => {
    egress.lookup(host, { all: true }, (error, addresses) => {
      // The same reason as for a forbidden address, so that names in the operator's network cannot be guessed.
      if (error) return reject(new NotConnected(faultReasons.notAllowed, error));
      resolve(addresses.filter(({ family }) => family === 4).map(({ address }) => address));
    });
  });
}

/** Asks the routing table. Connecting a UDP socket sends nothing. */
function localAddressTowards(remote: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const fail = (error: Error) => {
      socket.close();
      reject(new NotConnected(faultReasons.noServer, error));
    };
    socket.once('error', fail);
    socket.connect(port, remote, () => {
      const { address } = socket.address();
      socket.close();
      resolve(address);
    });
  });
}

/**
 * Checks the certificate of a trunk on a connection of our own, because baresip 1.0 encrypts without checking it. Rejects
 * with `NotConnected`.
 */
export async function checkCertificate(egress: Egress, trunk: Trunk, remote: string): Promise<void> {
  const socket = await openSocket(egress, { host: remote, port: trunk.port, timeoutMs: connectMs });
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      ...(isIP(trunk.host) === 0 ? { servername: trunk.host } : { host: trunk.host }),
      ...(trunk.certificate !== undefined && { ca: trunk.certificate }),
    });
    const fail = (error: Error) => {
      secured.destroy();
      reject(error instanceof ConnectionFault ? error : new NotConnected(notConnectedReason(error), error));
    };
    secured.setTimeout(connectMs, () => fail(new Error(`no TLS in ${connectMs} ms`)));
    secured.once('error', fail);
    secured.once('secureConnect', () => {
      secured.destroy();
      resolve();
    });
  });
}
