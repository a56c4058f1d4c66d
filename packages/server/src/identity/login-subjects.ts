import { clientNetwork } from '../http/client-network.ts';
import { sha256 } from './secret.ts';

/** Under what failed log-ins are counted: the name tried, and where it was tried from. */
export type LoginSubjects = { name: string; address: string };

/** A name is kept as a hash only: people type passwords into the wrong field. */
export function loginSubjects(usernameKey: string, address: string): LoginSubjects {
  return {
    name: `name:${sha256(usernameKey).toString('hex')}`,
    address: `address:${clientNetwork(address)}`,
  };
}
