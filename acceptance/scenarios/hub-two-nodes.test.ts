import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../harness/http/http-client.ts';
import { listenClassic } from '../harness/hub/classic-client.ts';
import { type HubCluster, startHubCluster } from '../harness/hub/cluster.ts';
import { coreTransports, type HubListener, listenCore } from '../harness/hub/listener.ts';
import { logIn } from '../harness/installation.ts';
import { allowedMs } from '../harness/judged-times.ts';

const connections = 50;

let cluster: HubCluster;
let admins: HttpClient[];
beforeAll(async () => {
  cluster = await startHubCluster();
  admins = await Promise.all(cluster.servers.map((server) => logIn(server)));
});
afterAll(async () => {
  for (const admin of admins) admin.close();
  await cluster.close();
});

const core = Object.entries(coreTransports).map(([name, options]) => ({
  name: `Core ${name}`,
  open: (url: string, token: string) => listenCore(url, token, options),
}));
const classic = (['webSockets', 'serverSentEvents', 'longPolling'] as const).map((transport) => ({
  name: `classic ${transport}`,
  open: (url: string, token: string) => listenClassic(url, token, transport),
}));

/** Opens clients, a few at a time; each request goes to the next node. */
async function openAll(open: () => Promise<HubListener>): Promise<HubListener[]> {
  const opened: HubListener[] = [];
  const opener = async () => {
    while (opened.length < connections) opened.push(await open());
  };
  await Promise.all(Array.from({ length: 5 }, opener));
  return opened.slice(0, connections);
}

test.for([...core, ...classic])(
  'behind a balancer without affinity every client works: $name',
  async ({ name, open }) => {
    const { balancer } = cluster;
    const before = [...balancer.counts];
    const listeners = await openAll(() => open(balancer.url, admins[0]?.token ?? ''));
    const paths = [1, 2, 3, 4].map((number) => `${name} ${number}`);
    for (const [index, path] of paths.entries()) {
      const raised = await admins[index % 2]?.post('/api/v1/alarms', { path });
      expect(raised?.status).toBe(200);
    }
    await expect
      .poll(() => listeners.filter((listener) => listener.paths().length === paths.length).length, {
        timeout: 10_000,
      })
      .toBe(connections);
    for (const listener of listeners) expect(listener.paths()).toEqual(paths);
    await Promise.all(listeners.map((listener) => listener.stop()));
    const served = balancer.counts.map((count, index) => count - (before[index] ?? 0));
    expect(Math.min(...served), 'both nodes served').toBeGreaterThanOrEqual(connections / 2);
  },
);

/** Milliseconds from the answer of one server to a client of the other, for each alarm. */
async function delaysAcross(name: string, count: number): Promise<number[]> {
  const [first, second] = cluster.servers;
  const listener = await listenCore(second.baseUrl, admins[1]?.token ?? '', coreTransports.webSockets);
  const delays: number[] = [];
  for (let number = 1; number <= count; number++) {
    await admins[0]?.post('/api/v1/alarms', { path: `${name} ${number}` });
    const since = performance.now();
    await expect.poll(() => listener.paths().length, { timeout: 10_000, interval: 5 }).toBe(number);
    delays.push(performance.now() - since);
  }
  await listener.stop();
  expect(first.baseUrl).not.toBe(second.baseUrl);
  return delays.toSorted((a, b) => a - b);
}

test('a server receives the alarms of the other at once through NATS, and within two seconds without', async () => {
  const across = await delaysAcross('with NATS', 15);
  await cluster.nats.stop();
  const alone = await delaysAcross('without NATS', 5);
  await cluster.nats.start();
  const shown = (delays: readonly number[]) => delays.map((ms) => Math.round(ms)).join(', ');
  console.log(`with NATS ${shown(across)} ms; without ${shown(alone)} ms`);
  // Polling once a second would take half a second on average.
  expect(across[7]).toBeLessThan(250);
  expect(alone.at(-1)).toBeLessThan(allowedMs(2_000));
});
