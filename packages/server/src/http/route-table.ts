import type { FastifyContextConfig, FastifySchema, RouteOptions } from 'fastify';
import type { HttpApp } from './http-app.ts';
import type { Permission } from './permissions.ts';

/** One route as it was registered: what the permission matrix, 405 and the OpenAPI document are made from. */
export type RouteEntry = {
  readonly method: string;
  readonly path: string;
  readonly permission: Permission | 'public' | 'self' | 'protocol';
  readonly schema: FastifySchema;
  readonly config: FastifyContextConfig;
};

const tables = new WeakMap<object, RouteEntry[]>();

/**
 * Keeps a table of all routes registered after it, and refuses one that does not say what it takes, what it
 * answers and who may call it: the server does not start with such a route.
 */
export function keepRouteTable(app: HttpApp): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  // Not before all is registered: routes of plugins get their permission from the scope around them.
  app.addHook('onReady', async () => {
    tables.set(app.server, routes.flatMap(entriesOf));
  });
}

function entriesOf(route: RouteOptions): RouteEntry[] {
  const methods = [route.method].flat().filter((method) => method !== 'HEAD' && method !== 'OPTIONS');
  return methods.map((method) => entryOf(method, route));
}

export function routeTable(app: HttpApp): readonly RouteEntry[] {
  return tables.get(app.server) ?? [];
}

/** The methods that a concrete path has, for 405. */
export function methodsOf(app: HttpApp, path: string): string[] {
  const matching = routeTable(app).filter((entry) => matches(entry.path, path));
  return [...new Set(matching.map(({ method }) => method))];
}

function entryOf(method: string, { url, config = {}, schema }: RouteOptions): RouteEntry {
  const permission = config.permission;
  if (permission === undefined) throw new Error(`${method} ${url} names no permission`);
  // Described elsewhere: its bodies are frames of a stream rather than documents.
  if (permission === 'protocol') return { method, path: url, permission, schema: schema ?? {}, config };
  requireAuditRule(method, url, config);
  if (schema?.response === undefined) throw new Error(`${method} ${url} has no response schema`);
  if (url.includes('/:') && schema.params === undefined)
    throw new Error(`${method} ${url} has no schema of its path`);
  if ((method === 'POST' || method === 'PUT') && schema.body === undefined) {
    throw new Error(`${method} ${url} has no schema of its body`);
  }
  return { method, path: url, permission, schema, config };
}

function requireAuditRule(method: string, url: string, { audit }: FastifyContextConfig): void {
  if (method !== 'GET' && audit === undefined) throw new Error(`${method} ${url} has no audit rule`);
}

/** As the router does: in any case, with or without a slash at the end. */
function matches(pattern: string, path: string): boolean {
  const wanted = pattern.toLowerCase().split('/');
  const given = path
    .toLowerCase()
    .replace(/(?<=.)\/$/, '')
    .split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith(':') || part === given[index])
  );
}
