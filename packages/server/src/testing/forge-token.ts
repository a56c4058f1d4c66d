import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { JWK } from 'jose';
import { listSigningKeys } from '../identity/tokens/signing-key.store.ts';
import { placeOfKey } from '../identity/tokens/signing-keys.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';

export type TokenParts = {
  header: Record<string, unknown>;
  payload: Record<string, unknown>;
  /** Over `header.payload`; by default with the server's own key, so that only the tampering is wrong. */
  signature?: (signed: string) => Buffer;
};

/** Splits an access token, so that a test can change and sign it. */
export async function splitToken(
  { database, box }: Runtime,
  token: string,
): Promise<TokenParts & { ownKey: KeyObject; publicJwk: Record<string, unknown> }> {
  const [header = '', payload = ''] = token.split('.');
  const [key] = await outsideTenants(database, listSigningKeys);
  const opened = key && box.open(key.sealed, placeOfKey(key.kid));
  if (opened === undefined) throw new Error('the server has no key');
  const privateJwk = JSON.parse(opened) as JWK;
  const { d: _, ...publicJwk } = privateJwk;
  return {
    header: read(header),
    payload: read(payload),
    ownKey: createPrivateKey({ key: { ...privateJwk }, format: 'jwk' }),
    publicJwk,
  };
}

export function joinToken({ header, payload, signature }: Required<TokenParts>): string {
  const signed = `${write(header)}.${write(payload)}`;
  return `${signed}.${signature(signed).toString('base64url')}`;
}

export function signedBy(key: KeyObject): (signed: string) => Buffer {
  return (signed) => sign(null, Buffer.from(signed), key);
}

function read(part: string): Record<string, unknown> {
  const members: Record<string, unknown> = JSON.parse(Buffer.from(part, 'base64url').toString());
  return members;
}

function write(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
