import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPostgres } from './postgres-binaries.ts';
import { postgresUser, requireOpenFolders } from './unprivileged-user.ts';

const passwd = 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n';
const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 };

test('PostgreSQL runs as the user of the demo, and as somebody else for root', () => {
  expect(postgresUser(1_000, passwd)).toBeUndefined();
  expect(postgresUser(undefined, '')).toBeUndefined();
  expect(postgresUser(0, passwd)).toEqual(nobody);
  expect(postgresUser(0, `${passwd}postgres:x:112:118::/var/lib/postgresql:/bin/bash\n`)).toEqual({
    name: 'postgres',
    uid: 112,
    gid: 118,
  });
  expect(() => postgresUser(0, 'root:x:0:0')).toThrow('Start the demo as an ordinary user');
});

test('a folder that others may not enter is named, with what to do', () => {
  const closed = join(mkdtempSync(join(tmpdir(), 'tocsin-closed-')), 'home');
  mkdirSync(closed);
  chmodSync(join(closed, '..'), 0o755);
  chmodSync(closed, 0o700);
  expect(() => requireOpenFolders(join(closed, 'postgres'), nobody)).toThrow(
    `may not enter ${closed}. Choose another folder with --dir`,
  );
  expect(() => requireOpenFolders('/tmp/postgres', nobody)).not.toThrow();
});

test('a machine without a packaged PostgreSQL is told so', () => {
  expect(() => findPostgres('aix-ppc64')).toThrow('none for aix-ppc64');
});
