import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { controlText, debianArchitecture } from './control.ts';

const control = controlText({ version: '0.3.0-rc.1', architecture: 'amd64', installedKib: 1_234 });

test('a preview sorts before its release', () => {
  expect(control).toContain('\nVersion: 0.3.0~rc.1\n');
});

test('every line of the control file is a field or continues one, and the file ends with a newline', () => {
  expect(control.split('\n').filter((line) => !/^([A-Z][A-Za-z-]+: \S| \S|$)/.test(line))).toEqual([]);
  expect(control).toMatch(/\.\n$/);
});

test('a machine that Debian does not know is named', () => {
  expect(() => debianArchitecture('mips')).toThrow('not on mips');
});

const unit = readFileSync(new URL('../../packaging/deb/tocsin.service', import.meta.url), 'utf8');

test('the service is restarted for ever, and has no rights that it does not need', () => {
  const lines = unit.split('\n');
  for (const line of [
    'Restart=always',
    'StartLimitIntervalSec=0',
    'User=tocsin',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'ProtectSystem=strict',
    'SystemCallFilter=@system-service',
  ])
    expect(lines).toContain(line);
});

test.for(['postinst', 'prerm', 'postrm', 'tocsin', 'tocsin-create-database'])(
  '%s is a script of the shell',
  (name) => {
    const file = fileURLToPath(new URL(`../../packaging/deb/${name}`, import.meta.url));
    expect(() => execFileSync('sh', ['-n', file], { stdio: 'pipe' })).not.toThrow();
    expect(readFileSync(file, 'utf8')).toMatch(/^#!\/bin\/sh\n[^]*^set -eu?$/m);
  },
);
