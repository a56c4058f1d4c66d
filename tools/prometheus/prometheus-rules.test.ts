import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { alertCases, health, type SeriesValues } from './alert-cases.ts';
import { promtool } from './promtool.ts';

type AlertRule = {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: Record<string, string>;
};

const rulesFile = fileURLToPath(new URL('../../deploy/prometheus/tocsin.rules.yml', import.meta.url));
const { groups } = parse(await readFile(rulesFile, 'utf8')) as { groups: { rules: AlertRule[] }[] };
const rules = groups.flatMap(({ rules: some }) => some);
const heartbeat = 'TocsinHeartbeat';
const faultAlerts = rules.map(({ alert }) => alert).filter((alert) => alert !== heartbeat);

type Expected = { alert: string; labels: Readonly<Record<string, string>> | undefined };

/** The alert as it fires, with the labels filled into its texts; nothing if it must be silent. */
function expectedAlerts({ alert, labels }: Expected): object[] {
  const rule = rules.find((each) => each.alert === alert);
  if (!rule) throw new Error(`there is no alert ${alert}`);
  if (!labels) return [];
  const filled = (text: string) =>
    text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => labels[name] ?? '');
  const annotations = Object.entries(rule.annotations).map(([name, text]) => [name, filled(text)] as const);
  return [{ exp_labels: { ...labels, ...rule.labels }, exp_annotations: Object.fromEntries(annotations) }];
}

/** Evaluates the rules on these series with `promtool test rules`, and compares the alerts after half an hour. */
async function checkAlerts(series: SeriesValues, expected: readonly Expected[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-rules-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'rules.test.yml');
  const unitTest = {
    rule_files: [rulesFile],
    evaluation_interval: '15s',
    tests: [
      {
        interval: '15s',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: expected.map((each) => ({
          eval_time: '30m',
          alertname: each.alert,
          exp_alerts: expectedAlerts(each),
        })),
      },
    ],
  };
  await writeFile(file, stringify(unitTest, { lineWidth: 0 }));
  return promtool(['test', 'rules', file]);
}

const silent = (alert: string): Expected => ({ alert, labels: undefined });
const beats: Expected = { alert: heartbeat, labels: { job: 'tocsin' } };

test('promtool accepts the rules', async () => {
  expect(await promtool(['check', 'rules', rulesFile])).toContain(`SUCCESS: ${rules.length} rules found`);
});

test('each alert has a fault that is tried', () => {
  expect(alertCases.map(({ alert }) => alert).toSorted()).toEqual(faultAlerts.toSorted());
});

test('a healthy server sets off the heartbeat and nothing else', async () => {
  expect(await checkAlerts(health, [...faultAlerts.map(silent), beats])).toContain('SUCCESS');
});

test('a wrong expectation is noticed', async () => {
  await expect(checkAlerts(health, [silent(heartbeat)])).rejects.toThrow('FAILED');
});

describe('each alert fires on its fault', () => {
  test.for(alertCases)('$alert: $fault', async ({ alert, series, labels }) => {
    expect(
      Object.keys(series).filter((name) => !(name in health)),
      'a series of a healthy server',
    ).toEqual([]);
    expect(await checkAlerts({ ...health, ...series }, [{ alert, labels }])).toContain('SUCCESS');
  });
});

test('the heartbeat stops when no dispatcher is healthy', async () => {
  const stopped = alertCases.find(({ alert }) => alert === 'TocsinDispatcherUnhealthy')?.series;
  expect(await checkAlerts({ ...health, ...stopped }, [silent(heartbeat)])).toContain('SUCCESS');
});

test('docs/operations.md lists every alert with its severity', async () => {
  const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, after = ''] = page.split('| Alert | Severity | Fires when |\n| --- | --- | --- |\n');
  const [table = ''] = after.split('\n\n');
  const listed = table.split('\n').flatMap((row) => {
    const [, names = '', severities = ''] = row.split('|');
    const each = severities.split(',').map((severity) => severity.trim());
    return names
      .split(',')
      .map((name, index) => `${name.replaceAll('`', '').trim()} ${each[index] ?? each[0]}`);
  });
  expect(listed.toSorted()).toEqual(
    rules.map(({ alert, labels }) => `${alert} ${labels.severity}`).toSorted(),
  );
});

test('each alert says what to do, and how urgent it is', () => {
  for (const { alert, annotations, labels } of rules) {
    expect(annotations['summary'], alert).toMatch(/\S/);
    expect(annotations['action'], alert).toMatch(/\S/);
    expect(['critical', 'warning', 'heartbeat'], alert).toContain(labels.severity);
  }
});
