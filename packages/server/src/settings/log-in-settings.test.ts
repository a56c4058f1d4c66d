import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { ConfigError } from './setting.ts';

const folder = mkdtempSync(join(tmpdir(), 'tocsin-issuers-'));
afterAll(() => rmSync(folder, { recursive: true }));

function faultsOfList(...issuers: object[]): string[] {
  const path = join(folder, 'list.json');
  writeFileSync(path, JSON.stringify(issuers));
  try {
    readConfig({ DATABASE_URL: 'postgres://tocsin@localhost/tocsin', OIDC_ISSUERS_FILE: path });
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

test('an issuer belongs to one tenant, and members of an older release are refused', () => {
  const issuer = { issuer: 'https://id.example', audience: 'tocsin', tenantId: 1 };
  expect(faultsOfList(issuer, { ...issuer, issuer: 'https://other.example' })).toEqual([]);
  expect(faultsOfList(issuer, { ...issuer, tenantId: 2 })).toEqual([
    'OIDC_ISSUERS_FILE names https://id.example twice: an issuer belongs to one tenant',
  ]);
  const { tenantId: _, ...anywhere } = issuer;
  for (const wrong of [anywhere, { ...issuer, usernameClaim: 'email' }, { ...issuer, tenantId: '1' }])
    expect(faultsOfList(wrong)).toEqual([
      expect.stringContaining('"tenantId": 1}, with jwksUri as an option'),
    ]);
});
