import { Resolver, lookup as systemLookup } from 'node:dns';
import { callbackify } from 'node:util';

/** The shape of `dns.lookup` when asked for all addresses. */
export type Lookup = (
  hostname: string,
  options: { all: true },
  done: (error: Error | null, addresses: { address: string; family: number }[]) => void,
) => void;

type Found = { error: Error | null; addresses: { address: string; family: number }[] };

/** `timeout` is in milliseconds. */
const resolverOptions = { timeout: 1_500, tries: 2 };
/** Errors for a name that does not exist, as opposed to a name server that does not answer. */
const noSuchName: readonly string[] = ['ENOTFOUND', 'ENODATA'];

/**
 * Resolves names without `dns.lookup`, whose four threads would block all channels while one name server hangs. Only a
 * name that no name server knows is looked up locally, in the hosts file, which takes no time.
 */
export function createNameLookup(servers?: readonly string[], local: Lookup = systemLookup): Lookup {
  const resolver = new Resolver(resolverOptions);
  if (servers) resolver.setServers([...servers]);
  const ask = (hostname: string, family: 4 | 6) =>
    new Promise<Found>((resolve) => {
      const answer = (error: NodeJS.ErrnoException | null, addresses: string[] = []) =>
        resolve({ error, addresses: addresses.map((address) => ({ address, family })) });
      if (family === 4) resolver.resolve4(hostname, answer);
      else resolver.resolve6(hostname, answer);
    });
  const find: Lookup = callbackify(async (hostname: string, _options: object) => {
    const [four, six] = await Promise.all([ask(hostname, 4), ask(hostname, 6)]);
    const found = [...four.addresses, ...six.addresses];
    if (found.length === 0) throw four.error ?? six.error ?? new Error(`${hostname} has no address`);
    return found;
  });
  return (hostname, options, done) => {
    if (!hostname.includes('.')) return local(hostname, options, done);
    find(hostname, options, (error, addresses) => {
      const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
      if (noSuchName.includes(code)) local(hostname, options, done);
      else done(error, addresses ?? []);
    });
  };
}
