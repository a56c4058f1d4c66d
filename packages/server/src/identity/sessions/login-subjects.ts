import { clientNetwork } from '../../http/client-network.ts';
import { sha256 } from '../tokens/secret.ts';
import { knownNetworkPrefix, type LoginSubjects } from './login-delay.ts';

/** Stores only the hash of a name, because people type passwords into the wrong field. */
export function loginSubjects(failureSubject: string, address: string): LoginSubjects {
  const network = clientNetwork(address);
  const name = sha256(failureSubject).toString('hex');
  return {
    address: `address:${network}`,
    nameInNetwork: `name:${name}@${network}`,
    name: `name:${name}`,
    knownNetwork: `${knownNetworkPrefix}${name}@${network}`,
  };
}
