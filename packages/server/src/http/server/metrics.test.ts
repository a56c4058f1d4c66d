import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { buildApp } from '../../app.ts';
import { test } from '../../testing/plant.fixture.ts';
import { notAuthenticated } from '../authorization.ts';
import { startAdminServer } from './admin-server.ts';
import { createMetrics } from './metrics.ts';

test('the admin port reports the duration of each route, the pool and the process', async ({ runtime }) => {
  const metrics = createMetrics(runtime.database);
  const authenticate = async () => {
    throw notAuthenticated('unknown token');
  };
  const app = buildApp(runtime, authenticate, { basePath: '', metrics, reference: false });
  const admin = await startAdminServer(metrics, { host: '127.0.0.1', port: 0 });
  const at = `http://127.0.0.1:${(admin.address() as AddressInfo).port}`;
  await app.inject('/readyz');
  await app.inject('/api/v1/stations/4711');
  await app.inject('/wp-login.php');

  const answer = await fetch(`${at}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const text = await answer.text();
  const counts = text.split('\n').filter((line) => line.startsWith('tocsin_http_request_seconds_count'));
  expect(counts).toEqual([
    'tocsin_http_request_seconds_count{method="GET",route="/readyz",status="2xx"} 1',
    'tocsin_http_request_seconds_count{method="GET",route="/api/v1/stations/:id",status="4xx"} 1',
    'tocsin_http_request_seconds_count{method="GET",route="none",status="4xx"} 1',
  ]);
  expect(text).toMatch(/tocsin_database_connections\{state="idle"\} [1-9]/);
  expect(text).toContain('tocsin_database_connections{state="waiting"} 0');
  expect(text).toMatch(/^tocsin_ready 1$/m);
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  expect(text).toContain('process_cpu_seconds_total');

  expect((await fetch(`${at}/`)).status).toBe(404);
  expect((await app.inject('/metrics')).statusCode, 'not on the port of the interface').toBe(404);
  admin.close();
  admin.closeAllConnections();
  await app.close();
});
