import { createHmac } from 'node:crypto';
import { newSecret, sha256 } from '../../identity/tokens/secret.ts';

const stateForm = /^tco_([1-9][0-9]{0,9})_[A-Za-z0-9_-]{43}$/;

/** `tco_<tenant>_<secret>`. Contains the tenant, because a sign-in is looked up inside one tenant only. */
export function newState(tenantId: number): string {
  return `tco_${tenantId}_${newSecret()}`;
}

export function readState(text: string): { tenantId: number; hash: Buffer } | undefined {
  const [, tenantId] = stateForm.exec(text) ?? [];
  return tenantId === undefined ? undefined : { tenantId: Number(tenantId), hash: sha256(text) };
}

/** The nonce and the PKCE verifier of a sign-in follow from the secret in the browser, so no server stores them. */
export function secretsOf(cookie: string): { nonce: string; verifier: string } {
  const derive = (purpose: string) => createHmac('sha256', cookie).update(purpose).digest('base64url');
  return { nonce: derive('nonce'), verifier: derive('code verifier') };
}
