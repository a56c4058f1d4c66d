import { crc32 } from 'node:zlib';

export type ApiKeyParts = { tenantId: number; id: number; secret: string };

export const apiKeyPrefix = 'tcs_';

const form = /^(tcs_([1-9][0-9]{0,9})_([1-9][0-9]{0,9})_([A-Za-z0-9_-]{43}))_([0-9a-f]{8})$/;

/** `tcs_<tenant>_<id>_<secret>_<checksum>`: prefix and checksum let scanners recognise leaked keys. */
export function writeApiKey({ tenantId, id, secret }: ApiKeyParts): string {
  const rest = `${apiKeyPrefix}${tenantId}_${id}_${secret}`;
  return `${rest}_${checksum(rest)}`;
}

/** Undefined if the text is not a key, or is mistyped or cut off. */
export function readApiKey(text: string): ApiKeyParts | undefined {
  const [, rest = '', tenantId, id, secret = '', sum] = form.exec(text) ?? [];
  if (sum === undefined || checksum(rest) !== sum) return undefined;
  return { tenantId: Number(tenantId), id: Number(id), secret };
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
