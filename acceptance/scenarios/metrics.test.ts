import { readFile } from 'node:fs/promises';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../tools/postgres-cluster.ts';
import { createDatabase } from '../harness/database.ts';
import { startPrometheus } from '../harness/prometheus/prometheus.ts';
import { startServer } from '../harness/server.ts';
import { connectSql } from '../harness/sql.ts';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

async function startPlant() {
  const database = await createDatabase(inject('durableClusterUrl'));
  onTestFinished(() => database.drop());
  const adminPort = await freePort();
  const environment = { ADMIN_PORT: String(adminPort), DRAIN_MS: '0' };
  const server = await startServer({ databaseUrl: database.url, environment });
  onTestFinished(async () => void (await server.stop()));
  return { databaseUrl: database.url, adminPort };
}

/** Served only by a server with a certificate, which the tests of TLS show. */
const onlyWithTls = 'tocsin_tls_certificate_expiry_timestamp_seconds';

/** The metrics of the server, each with its type. */
async function servedMetrics(adminPort: number): Promise<Map<string, string>> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Map(types.map(([, name = '', type = '']) => [name, type]));
}

/** The metrics that a text names, without the suffixes of histograms. */
function namedMetrics(text: string, served: ReadonlyMap<string, string>): string[] {
  const names = [...text.matchAll(/\b(?:tocsin|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name);
  const plain = names.map((name) => {
    const base = name.replace(/_(bucket|count|sum)$/, '');
    return served.get(base) === 'histogram' ? base : name;
  });
  return [...new Set(plain)].toSorted();
}

describe('the metrics of a running server', () => {
  test('are those of the documentation, and the rules and the dashboard use no other', async () => {
    const { adminPort } = await startPlant();
    const served = await servedMetrics(adminPort);
    const known = new Set([...served.keys(), onlyWithTls]);
    expect(served.get('tocsin_first_call_seconds')).toBe('histogram');

    const [, after = ''] = (await read('docs/operations.md')).split('| Metric | Meaning |');
    const [table = ''] = after.split('\n\n');
    const documented = namedMetrics(table, served).filter((name) => name.startsWith('tocsin_'));
    const own = [...known].filter((name) => name.startsWith('tocsin_'));
    expect(documented).toEqual(own.toSorted());

    const users = ['deploy/prometheus/tocsin.rules.yml', 'deploy/grafana/tocsin.json'];
    for (const path of users) {
      const used = namedMetrics(await read(path), served);
      expect(used.length, path).toBeGreaterThan(10);
      expect(
        used.filter((name) => !known.has(name)),
        path,
      ).toEqual([]);
    }
  });
});

describe('a Prometheus that watches a server', () => {
  test('sees that the dispatcher stands still, and that it works again', { timeout: 120_000 }, async () => {
    const { databaseUrl, adminPort } = await startPlant();
    const prometheus = await startPrometheus(adminPort);
    onTestFinished(() => prometheus.stop());
    const { firing } = prometheus;
    await expect.poll(firing, { timeout: 30_000, interval: 500 }).toEqual(['TocsinHeartbeat']);

    // A migration, or somebody at a prompt, holds the table: no dispatcher gets to the escalations.
    const fault = await connectSql(databaseUrl);
    await fault.query('begin; lock table escalations in access exclusive mode');
    await expect
      .poll(firing, { timeout: 60_000, interval: 500 })
      .toEqual(expect.arrayContaining(['TocsinDispatcherStopped']));
    expect(await firing(), 'the heartbeat has stopped').not.toContain('TocsinHeartbeat');

    await fault.query('rollback');
    await expect.poll(firing, { timeout: 60_000, interval: 500 }).toEqual(['TocsinHeartbeat']);
  });
});
