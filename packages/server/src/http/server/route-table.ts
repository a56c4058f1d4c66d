import type { FastifyContextConfig, FastifySchema, RouteOptions } from 'fastify';
import type { HttpApp } from '../http-app.ts';
import type { Permission } from '../permissions.ts';

/** A registered route, for the permission matrix, 405 and the OpenAPI document. */
export type RouteEntry = {
  readonly method: string;
  readonly path: string;
  readonly permission: Permission | 'public' | 'self' | 'protocol';
  readonly schema: FastifySchema;
  readonly config: FastifyContextConfig;
};

const tables = new WeakMap<object, RouteEntry[]>();

/**
 * Records all routes registered after this call. The server does not start with a route that lacks a schema of its
 * request or answer, or its permission.
 */
export function keepRouteTable(app: HttpApp): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  // Only after all routes are registered: routes of plugins get their permission from the scope around them.
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

/** The methods of a path, for 405. */
export function methodsOf(app: HttpApp, path: string): string[] {
  const matching = routeTable(app).filter((entry) => matches(entry.path, path));
  return [...new Set(matching.map(({ method }) => method))];
}

function entryOf(method: string, { url, config = {}, schema }: RouteOptions): RouteEntry {
  const permission = config.permission;
  if (permission === undefined) throw new Error(`${method} ${url} names no permission`);
  // The AsyncAPI document describes these routes: their bodies are frames of a stream.
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

/** Matches as the router does: in any case, with or without a trailing slash. */
function matches(pattern: string, path: string): boolean {
  const parts = pattern.toLowerCase().split('/');
  const given = path
    .toLowerCase()
    .replace(/(?<=.)\/$/, '')
    .split('/');
  return (
    parts.length === given.length &&
    parts.every((part, index) => part.startsWith(':') || part === given[index])
  );
}
