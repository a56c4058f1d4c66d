import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../../postgres/database.ts';
import type { HttpApp } from '../http-app.ts';

export type Metrics = {
  readonly registry: Registry;
  /** Times every request of the app. */
  watch(app: HttpApp): void;
  /** Serves the answer of `/readyz`. */
  watchReadiness(findFault: () => Promise<string | undefined>): void;
};

function serveReadiness(registry: Registry, findFault: () => Promise<string | undefined>): void {
  const ready: Gauge = new Gauge({
    name: 'tocsin_ready',
    help: 'Whether this server can serve requests, as /readyz answers.',
    registers: [registry],
    collect: async () => ready.set(Number((await findFault()) === undefined)),
  });
}

/** The metrics of the admin port: process, event loop, database pool and routes. */
export function createMetrics({ pool, alarmPool }: Database): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: 'tocsin_http_request_seconds',
    help: 'Time from the request line to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const connections = new Gauge({
    name: 'tocsin_database_connections',
    help: 'Connections to PostgreSQL: in use, idle, and requests waiting for one.',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      const sum = (of: (one: Database['pool']) => number) => of(pool) + of(alarmPool);
      connections.set(
        { state: 'used' },
        sum(({ totalCount, idleCount }) => totalCount - idleCount),
      );
      connections.set(
        { state: 'idle' },
        sum(({ idleCount }) => idleCount),
      );
      connections.set(
        { state: 'waiting' },
        sum(({ waitingCount }) => waitingCount),
      );
    },
  });
  const timers = new Map<string, (elapsedSeconds: number) => void>();
  const timerOf = (method: string, route: string, statusClass: number) => {
    const key = `${statusClass} ${method} ${route}`;
    const known = timers.get(key);
    if (known) return known;
    const { observe } = seconds.labels({ method, route, status: `${statusClass}xx` });
    timers.set(key, observe);
    return observe;
  };
  return {
    registry,
    watchReadiness: (findFault) => serveReadiness(registry, findFault),
    watch: (app) => {
      app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
        if (routeOptions.config.permission === 'protocol') return done();
        // The pattern of the route, not its path: a label per identifier would fill the memory.
        const observe = timerOf(method, routeOptions.url ?? 'none', Math.floor(reply.statusCode / 100));
        observe(reply.elapsedTime / 1_000);
        done();
      });
    },
  };
}
