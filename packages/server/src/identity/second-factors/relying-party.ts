import { isIP } from 'node:net';
import { ProblemError } from '../../common/problem.ts';

/** The server as browsers know it: passkeys are bound to its host name, and their answers to its origin. */
export type RelyingParty = { readonly id: string; readonly origin: string };

/** EdDSA, ES256 and RS256, by their COSE numbers: every authenticator knows one of them. */
export const passkeyAlgorithms = [-8, -7, -257];

/** The parts of a request that tell under which name a browser knows the server. */
type Asked = {
  readonly headers: { readonly origin?: string | undefined };
  /** As the browser sees them, behind a trusted proxy too. */
  readonly host: string;
  readonly protocol: string;
};

/**
 * The name in the request if a page of that name sent it; otherwise the public address of the server. A forged `Host`
 * gains nothing: a passkey is only accepted for the host name that it was made for, and browsers offer it to pages of that
 * host only.
 */
export function relyingPartyOf({ headers, host, protocol }: Asked, publicUrl: string): RelyingParty {
  const asked = `${protocol}://${host}`;
  const page = headers.origin ?? '';
  const isOwnPage = URL.canParse(page) && new URL(page).host === host.toLowerCase();
  const known = publicUrl === '' ? asked : publicUrl;
  const { origin, hostname } = new URL(isOwnPage ? page : known);
  return { id: hostname, origin };
}

/** Browsers make passkeys for names only. */
export function requireHostName({ id }: RelyingParty): void {
  if (isIP(id.replaceAll(/[[\]]/g, '')) === 0) return;
  throw new ProblemError(
    'conflict',
    `Passkeys need a host name: open the console under its name, not under ${id}, or use an authenticator app`,
  );
}
