import { clientNetwork } from '../http/client-network.ts';
import { homePrefix, type LoginSubjects } from './login-delay.ts';
import { sha256 } from './secret.ts';

/** A name is kept as a hash only: people type passwords into the wrong field. */
export function loginSubjects(countedName: string, address: string): LoginSubjects {
  const network = clientNetwork(address);
  const name = sha256(countedName).toString('hex');
  return {
    address: `address:${network}`,
    nameThere: `name:${name}@${network}`,
    name: `name:${name}`,
    home: `${homePrefix}${name}@${network}`,
  };
}
