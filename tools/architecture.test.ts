import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { rules } from './architecture-rules.ts';
import { readSource, readSources, type SourceFile } from './import-graph.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const bySaying = rules.map((rule) => [rule.says, rule] as const);

describe('the sources', () => {
  let sources: readonly SourceFile[] = [];
  beforeAll(async () => {
    sources = await readSources();
  });

  test('were read with their imports', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(500);
    const app = sources.find(({ path }) => path === 'packages/server/src/app.ts');
    expect(app?.imports).toContainEqual({
      specifier: './postgres/runtime.ts',
      target: 'packages/server/src/postgres/runtime.ts',
    });
  });

  test.for(bySaying)('%s', ([, rule]) => {
    expect(sources.length).toBeGreaterThan(0);
    expect(rule.faults(sources)).toEqual([]);
  });
});

/** For each rule sources that break it, and their faults. */
const breaches: Record<string, { files: Record<string, string>; fault: string }> = {
  'a package imports only the packages below it': {
    files: { 'packages/domain/src/a.ts': "import type { B } from '@tocsin/contract';" },
    fault: 'packages/domain/src/a.ts imports @tocsin/contract',
  },
  'a package is entered through its index, and through ./testing by tests, tools, acceptance and bench only':
    {
      files: {
        'packages/server/src/a.ts': "import '@tocsin/signalr/testing';",
        'packages/server/src/b.test.ts': "import '@tocsin/signalr/testing';",
        'tools/c.ts': "import '@tocsin/server/testing';",
        'packages/server/src/d.ts': "import '@tocsin/domain';",
      },
      fault: 'packages/server/src/a.ts imports @tocsin/signalr/testing',
    },
  'of other packages the domain needs only Temporal, the contract only TypeBox': {
    files: {
      'packages/domain/src/a.ts': "import { readFile } from 'node:fs'; import 'temporal-polyfill';",
      'packages/contract/src/b.ts': "import { Type } from 'typebox';",
    },
    fault: 'packages/domain/src/a.ts imports node:fs',
  },
  'what is imported exists': {
    files: { 'packages/domain/src/a.ts': "import './gone.ts';" },
    fault: 'packages/domain/src/a.ts imports ./gone.ts',
  },
  'a folder imports only from folders below it': {
    files: {
      'packages/server/src/plant/a.ts':
        "import type { B } from '../alarms/b.ts'; import '../common/problem.ts';",
      'packages/server/src/alarms/b.ts': "import '../plant/c.ts'; import './decide/d.ts';",
      'packages/server/src/alarms/decide/d.ts': "import './e.ts'; import '../../plant/c.ts';",
      'packages/domain/src/time/a.ts': "import './b.ts';",
    },
    fault: 'packages/server/src/plant/a.ts imports ../alarms/b.ts',
  },
  'no folder has more than 25 source files of its own': {
    files: {
      ...Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`packages/server/src/plant/a${n}.ts`, ''])),
      ...Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`packages/server/src/hub/a${n}.ts`, ''])),
      'packages/server/src/hub/b.test.ts': '',
    },
    fault: 'packages/server/src/plant has 26 source files',
  },
  'only stores and postgres/ import the database driver': {
    files: {
      'packages/server/src/plant/a.ts': "import { sql } from 'kysely';",
      'packages/server/src/plant/b.store.ts': "import { sql } from 'kysely';",
    },
    fault: 'packages/server/src/plant/a.ts imports kysely',
  },
  'only routes, http/ and app.ts import Fastify': {
    files: {
      'packages/server/src/plant/a.ts': "import type { FastifyRequest } from 'fastify';",
      'packages/server/src/plant/b.routes.ts': "import type { FastifyRequest } from 'fastify';",
    },
    fault: 'packages/server/src/plant/a.ts imports fastify',
  },
  'a store imports no use case and no routes': {
    files: {
      'packages/server/src/alarms/a.store.ts': "import './raise-alarm.ts'; import './alarm-row.ts';",
      'packages/server/src/alarms/raise-alarm.ts': 'export async function raiseAlarm() {}',
      'packages/server/src/alarms/store/alarm-row.ts': 'export type AlarmRow = object;',
    },
    fault: 'packages/server/src/alarms/a.store.ts imports ./raise-alarm.ts',
  },
  'a channel imports no store': {
    files: { 'packages/server/src/channels/a.channel.ts': "import '../calls/b.store.ts';" },
    fault: 'packages/server/src/channels/a.channel.ts imports ../calls/b.store.ts',
  },
  'the product imports nothing of its tests': {
    files: { 'packages/server/src/a.ts': "import './testing/b.fixture.ts';" },
    fault: 'packages/server/src/a.ts imports ./testing/b.fixture.ts',
  },
  'nothing imports itself in a circle, types included': {
    files: {
      'packages/domain/src/a.ts': "export type A = import('./b.ts').B;",
      'packages/domain/src/b.ts': "import type { C } from './c.ts'; export type B = C;",
      'packages/domain/src/c.ts': "export type { A as C } from './a.ts';",
    },
    fault:
      'packages/domain/src/a.ts → packages/domain/src/b.ts → packages/domain/src/c.ts → packages/domain/src/a.ts',
  },
  'no file is longer than 350 lines': {
    files: { 'tools/a.ts': '\n'.repeat(351), 'tools/b.ts': '\n'.repeat(350) },
    fault: 'tools/a.ts has 351 lines',
  },
  'no function is longer than 60 lines': {
    files: {
      'packages/server/src/a.ts': `const a = () => {${'\n'.repeat(60)}};`,
      'packages/server/src/b.ts': `function b() {${'\n'.repeat(59)}}`,
      'packages/server/src/c.test.ts': `test('c', () => {${'\n'.repeat(60)}});`,
    },
    fault: 'packages/server/src/a.ts has a function of 61 lines',
  },
  'the environment is read in main.ts only': {
    files: {
      'packages/server/src/a.ts': 'const level = process.env.LOG_LEVEL;',
      'packages/server/src/main.ts': 'const level = process.env.LOG_LEVEL;',
    },
    fault: 'packages/server/src/a.ts: environment',
  },
  'time is given, not taken': {
    files: {
      'packages/domain/src/a.ts': 'const now = new Date();',
      'packages/domain/src/b.ts': 'const then = new Date(0);',
      'packages/domain/src/c.test.ts': 'const now = Date.now();',
    },
    fault: 'packages/domain/src/a.ts: system clock',
  },
  'only an index re-exports': {
    files: {
      'packages/domain/src/a.ts': "export { b } from './b.ts';",
      'packages/domain/src/index.ts': "export * from './b.ts';",
    },
    fault: 'packages/domain/src/a.ts: re-export',
  },
  'no default exports but in configurations': {
    files: { 'tools/a.ts': 'export default 1;', 'tools/vite.config.ts': 'export default {};' },
    fault: 'tools/a.ts: default export',
  },
  'nothing is any': {
    files: {
      'tools/a.ts': 'const many: any[] = []; const text = "any";',
      'tools/b.ts': 'const text = "any";',
    },
    fault: 'tools/a.ts: any',
  },
};

describe('each rule can fail', () => {
  test('each rule has sources that break it', () => {
    expect(Object.keys(breaches)).toEqual(rules.map(({ says }) => says));
  });

  test.for(bySaying)('%s', ([says, { faults }]) => {
    const breach = breaches[says];
    const sources = Object.entries(breach?.files ?? {}).map(([path, text]) => readSource(path, text));
    expect(faults(sources)).toEqual([breach?.fault]);
  });
});

test('imports are found in all their forms', () => {
  const text = `
    import './a.ts';
    import type { B } from './b.ts';
    import { type C } from './c.ts';
    export * from './d.ts';
    export type { E } from './e.ts';
    const f = await import('./f.ts');
    type G = import('./g.ts').G;
    import { Type } from 'typebox';
    import { Alarm } from '@tocsin/contract';
    import { migrate } from '@tocsin/server/testing';`;
  const { imports } = readSource('packages/x/src/y.ts', text);
  expect(imports.map(({ specifier, target = '' }) => `${specifier} ${target}`).toSorted()).toEqual([
    './a.ts packages/x/src/a.ts',
    './b.ts packages/x/src/b.ts',
    './c.ts packages/x/src/c.ts',
    './d.ts packages/x/src/d.ts',
    './e.ts packages/x/src/e.ts',
    './f.ts packages/x/src/f.ts',
    './g.ts packages/x/src/g.ts',
    '@tocsin/contract packages/contract/src/index.ts',
    '@tocsin/server/testing packages/server/src/testing/index.ts',
    'typebox ',
  ]);
});

describe('run-time dependencies of the server', () => {
  const manifest = JSON.parse(readFileSync(`${root}/packages/server/package.json`, 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const names = Object.keys(manifest.dependencies).filter((name) => !name.startsWith('@tocsin/'));
  const decisions = globSync('docs/decisions/*.md', { cwd: root })
    .map((path) => readFileSync(`${root}/${path}`, 'utf8'))
    .join('\n');

  test('are 20 at most', () => {
    expect(names.length).toBeGreaterThan(0);
    expect(names.length).toBeLessThanOrEqual(20);
  });

  test.for(names)('%s has its reason in a decision', (name) => {
    expect(decisions.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))).toBeDefined();
  });
});
