import { expect, test } from 'vitest';
import { isShipped } from './shipped-files.ts';

test.for([
  'index.js',
  'lib/latest.js',
  'package.json',
  'dist/index.cjs',
  'LICENSE',
  'docs/LICENSE.md',
  'lib/testing.js',
])('%s is delivered', (path) => {
  expect(isShipped(path)).toBe(true);
});

test.for([
  'README.md',
  'test/a.js',
  'lib/test/a.js',
  'index.d.ts',
  'index.js.map',
  '.npmignore',
  '.github/workflows/ci.yml',
  'src/a.ts',
  'a.test.js',
])('%s is left out', (path) => {
  expect(isShipped(path)).toBe(false);
});
