import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const workflows = globSync('.github/workflows/*.yml', { cwd: root }).toSorted();
const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root })
  .filter((path) => !path.endsWith('/config.yml'))
  .toSorted();

const Workflow = Type.Object({
  permissions: Type.Object({ contents: Type.Literal('read') }),
  jobs: Type.Record(
    Type.String(),
    Type.Object({
      steps: Type.Array(
        Type.Object({ uses: Type.Optional(Type.String()), run: Type.Optional(Type.String()) }),
      ),
    }),
  ),
});

const stepsOf = (path: string) =>
  Object.values(Value.Parse(Workflow, parse(read(path))).jobs).flatMap(({ steps }) => steps);

test('every change runs all checks', () => {
  expect(stepsOf('.github/workflows/ci.yml').map(({ run }) => run)).toContain('.ci/run');
  expect(parse(read('.github/workflows/ci.yml'))).toHaveProperty('on.pull_request');
});

test.for(workflows)('%s takes actions by their hash, and may only read unless a job says more', (path) => {
  const actions = stepsOf(path).flatMap(({ uses }) => uses ?? []);
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
});

test('every npm script that a workflow or the development container runs exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const texts = [...workflows, '.devcontainer/devcontainer.json', 'RELEASE.md', 'docs/install.md'].map(read);
  const named = texts.flatMap((text) => [...text.matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name));
  expect(named).toContain('release');
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

const Form = Type.Object({
  name: Type.String({ minLength: 3 }),
  description: Type.String({ minLength: 3 }),
  body: Type.Array(
    Type.Object({
      type: Type.Enum(['markdown', 'input', 'textarea', 'dropdown', 'checkboxes']),
      id: Type.Optional(Type.String()),
      attributes: Type.Object({
        label: Type.Optional(Type.String()),
        value: Type.Optional(Type.String()),
        options: Type.Optional(Type.Array(Type.String(), { minItems: 2 })),
      }),
    }),
    { minItems: 2 },
  ),
});

test.for(forms)('%s is a form whose questions have a label', (path) => {
  const { body } = Value.Parse(Form, parse(read(path)));
  const questions = body.filter(({ type }) => type !== 'markdown');
  expect(questions.filter(({ id, attributes }) => !id || !attributes.label)).toEqual([]);
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
});

test('somebody is responsible for every file, and the named folders exist', () => {
  const lines = read('.github/CODEOWNERS')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/\s+/));
  expect(lines[0]?.[0]).toBe('*');
  for (const [pattern = '', ...owners] of lines) {
    expect(owners.every((owner) => owner.startsWith('@')) && owners.length > 0).toBe(true);
    if (pattern !== '*') expect(existsSync(join(root, pattern)), pattern).toBe(true);
  }
});
