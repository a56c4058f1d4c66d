import { newSecret, sha256 } from '../tokens/secret.ts';

const form = /^tcr_([1-9][0-9]{0,9})_[A-Za-z0-9_-]{43}$/;

/** `tcr_<tenant>_<secret>`. Contains the tenant, because a token is looked up inside one tenant only. */
export function newRefreshToken(tenantId: number): string {
  return `tcr_${tenantId}_${newSecret()}`;
}

export function readRefreshToken(text: string): { tenantId: number; hash: Buffer } | undefined {
  const [, tenantId] = form.exec(text) ?? [];
  return tenantId === undefined ? undefined : { tenantId: Number(tenantId), hash: sha256(text) };
}
