import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { promtool } from './promtool.ts';

type Panel = {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
};

const file = new URL('../../deploy/grafana/tocsin.json', import.meta.url);
const { panels } = JSON.parse(await readFile(file, 'utf8')) as { panels: Panel[] };
const graphs = panels.filter(({ type }) => type !== 'row');
const queries = graphs.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

test('Prometheus understands each query of the dashboard', async () => {
  expect(queries.length).toBeGreaterThan(graphs.length);
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-dashboard-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const rules = queries.map(({ expr }, index) => ({
    record: `query_${index}`,
    expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'),
  }));
  const rulesFile = join(folder, 'queries.yml');
  await writeFile(rulesFile, stringify({ groups: [{ name: 'dashboard', rules }] }, { lineWidth: 0 }));
  expect(await promtool(['check', 'rules', rulesFile])).toContain(`SUCCESS: ${rules.length} rules found`);
});

test('the panels of the dashboard do not overlap, and each shows something', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(graphs.filter(({ targets = [] }) => targets.length === 0)).toEqual([]);
});

test('the dashboard has a row for each subject', () => {
  const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title);
  expect(rows).toEqual([
    'Is it working?',
    'Alarms',
    'Calling',
    'Channels',
    'Hub',
    'HTTP',
    'Database and process',
  ]);
});
