import type { Issuer, IssuerBody } from '@tocsin/contract';
import { invalid } from '../../common/problem.ts';
import type { SecretBox } from '../../common/secret-box.ts';
import { readGroupRoles } from '../group-roles.wire.ts';
import type { IssuerRow, NewIssuer } from './issuer.store.ts';

/** Opens and seals the secrets of a tenant. */
export type TenantBox = { readonly box: SecretBox; readonly tenantId: number };

const defaults = { scopes: 'openid profile', groupsClaim: 'groups' };

/** The path that issuers send people back to. */
export const callbackPath = '/api/v1/auth/oidc/callback';

/** `publicUrl` is empty on a server that does not know its address: then the answer has the path alone. */
export function issuerToWire(row: IssuerRow, publicUrl: string): Issuer {
  const { id, name, issuer, clientId, enabled, scopes, groupsClaim, createUsers, clientSecret } = row;
  return {
    id,
    name,
    issuer,
    clientId,
    enabled,
    scopes,
    groupsClaim,
    groupRoles: readGroupRoles(row.groupRoles),
    createUsers,
    hasClientSecret: clientSecret !== null,
    redirectUri: `${publicUrl}${callbackPath}`,
  };
}

/** An issuer of a request; `former` is the one that it replaces. */
export function toNewIssuer(
  body: IssuerBody,
  { box, tenantId }: TenantBox,
  former?: Pick<IssuerRow, 'issuer' | 'clientSecret'>,
): NewIssuer {
  const { name, issuer, clientId, enabled, groupRoles, createUsers, clientSecret: given } = body;
  const { scopes = defaults.scopes, groupsClaim = defaults.groupsClaim } = body;
  requireIssuerUrl(issuer);
  if (!scopes.split(' ').includes('openid')) throw invalid('/scopes', 'must contain openid');
  const kept = former?.clientSecret ?? null;
  // The secret would be sent to the new address.
  if (former && former.issuer !== issuer && kept !== null && given === undefined)
    throw invalid('/clientSecret', 'must be sent again when issuer changes');
  const sealSecret = (id: number) =>
    given === undefined ? kept : box.seal(given, placeOfIssuer(tenantId, id));
  return { name, issuer, clientId, enabled, scopes, groupsClaim, groupRoles, createUsers, sealSecret };
}

/** The client secret; undefined without one. Throws if no key of this server opens it. */
export function openClientSecret(
  { id, clientSecret }: Pick<IssuerRow, 'id' | 'clientSecret'>,
  { box, tenantId }: TenantBox,
): string | undefined {
  if (clientSecret === null) return undefined;
  const text = box.open(clientSecret, placeOfIssuer(tenantId, id));
  if (text === undefined) throw new Error(`no key opens ${placeOfIssuer(tenantId, id)}`);
  return text;
}

/** The context that the secret of an issuer is sealed with. */
export function placeOfIssuer(tenantId: number, id: number): string {
  return `tenant ${tenantId} issuer ${id}`;
}

function requireIssuerUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw invalid('/issuer', 'must be an https address');
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    throw invalid('/issuer', 'must have no query, fragment or user');
}
