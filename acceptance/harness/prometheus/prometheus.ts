import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../tools/postgres-cluster.ts';

export type Prometheus = {
  /** The names of the alerts that fire now, each once, in order. */
  firing(): Promise<string[]>;
  stop(): Promise<void>;
};

type Alerts = { data: { alerts: { state: string; labels: { alertname: string } }[] } };

const deployed = (name: string) =>
  fileURLToPath(new URL(`../../../deploy/prometheus/${name}`, import.meta.url));

/**
 * Starts Prometheus on the loopback interface with the configuration and rules of `deploy/prometheus`. Only the target is
 * another one, and it is scraped every second.
 */
export async function startPrometheus(adminPort: number): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-prometheus-'));
  const config = (await readFile(deployed('prometheus.yml'), 'utf8'))
    .replace('127.0.0.1:9464', `127.0.0.1:${adminPort}`)
    .replaceAll(/_interval: 5s/g, '_interval: 1s');
  await writeFile(join(folder, 'prometheus.yml'), config);
  await copyFile(deployed('tocsin.rules.yml'), join(folder, 'tocsin.rules.yml'));
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  child.on('error', (error) => (output += `Install the Debian package prometheus: ${error.message}`));
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    await end(child);
    await rm(folder, { recursive: true });
  };
  if (!(await isReady(url, child))) {
    await stop();
    throw new Error(`Prometheus does not start:\n${output}`);
  }
  return { firing: () => firingAlerts(url), stop };
}

async function firingAlerts(url: string): Promise<string[]> {
  const { data } = (await (await fetch(`${url}/api/v1/alerts`)).json()) as Alerts;
  const firing = data.alerts.filter(({ state }) => state === 'firing');
  return [...new Set(firing.map(({ labels }) => labels.alertname))].toSorted();
}

async function isReady(url: string, child: ChildProcess): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.pid === undefined || child.exitCode !== null) return false;
    const answer = await fetch(`${url}/-/ready`).catch(() => undefined);
    if (answer?.ok) return true;
    await sleep(100);
  }
  return false;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
