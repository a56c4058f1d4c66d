import { pino } from 'pino';
import { expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { openDatabase } from '../../postgres/database.ts';
import { testBox } from '../../testing/test-box.ts';
import { notAuthenticated } from '../authorization.ts';
import { routeTable } from '../server/route-table.ts';
import { openApiDocument } from './openapi.ts';

/** No database answers there: describing the server needs none. */
async function describedApp(basePath = '', reference = false) {
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', connections: 2 });
  const authenticate = async () => {
    throw notAuthenticated('unknown token');
  };
  const runtime = { database, log: pino({ level: 'silent' }), box: testBox };
  const app = buildApp(runtime, authenticate, { basePath, reference });
  await app.ready();
  return app;
}

type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  security?: object[];
  parameters?: { name: string; in: string }[];
  requestBody?: object;
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
};
type Document = {
  openapi: string;
  servers: object[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses: Record<string, object> };
};

const documentOf = async (basePath = '') => openApiDocument(await describedApp(basePath)) as Document;

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

test('every route is described, and nothing else', async () => {
  const app = await describedApp();
  const routes = routeTable(app)
    .filter(({ schema }) => schema.hide !== true)
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  const described = operationsOf(openApiDocument(app) as Document).map(
    ({ path, method }) => `${method} ${path}`,
  );
  expect(described.toSorted()).toEqual(routes.toSorted());
  expect(routes).toContain('post /api/v1/alarms');
});

test('every operation has a name of its own, a summary, a tag that is explained, and a success', async () => {
  const document = await documentOf();
  const operations = operationsOf(document);
  const names = operations.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain('getAlarmsById');
  const used = new Set(operations.flatMap(({ operation }) => operation.tags));
  expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
  for (const { path, method, operation } of operations) {
    const where = `${method} ${path}`;
    expect(operation.summary, where).toBeTruthy();
    expect(operation.tags, where).toHaveLength(1);
    expect(
      Object.keys(operation.responses).some((status) => /^[23]\d\d$/.test(status)),
      where,
    ).toBe(true);
  }
});

test('each operation lists the problems that can happen', async () => {
  const { paths, components } = await documentOf();
  const statuses = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses ?? {});
  expect(statuses('/api/v1/alarms', 'get')).toEqual(['200', '400', '401', '403', '429', '503']);
  expect(statuses('/api/v1/stations/{id}', 'put')).toEqual([
    '200',
    '400',
    '401',
    '403',
    '404',
    '409',
    '412',
    '413',
    '415',
    '429',
    '503',
  ]);
  expect(statuses('/livez', 'get')).toEqual(['200']);
  expect(paths['/api/v1/alarms']?.['get']?.responses['429']).toEqual({
    $ref: '#/components/responses/Problem429',
  });
  expect(components.responses['Problem429']).toMatchObject({
    headers: { 'retry-after': {} },
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  });
});

test('a body is required unless the route makes it optional', async () => {
  const { paths } = await documentOf();
  expect(paths['/api/v1/stations']?.['post']?.requestBody).toMatchObject({ required: true });
  expect(paths['/api/v1/auth/logout']?.['post']?.requestBody).toMatchObject({ required: false });
  expect(JSON.stringify(paths).includes('"x-')).toBe(false);
});

test('all but the public operations ask for a token, and writing ones take an Idempotency-Key', async () => {
  const { paths } = await documentOf();
  expect(paths['/api/v1/auth/login']?.['post']?.security).toEqual([]);
  expect(paths['/api/v1/alarms']?.['post']?.security).toBeUndefined();
  const names = (path: string, method: string) => paths[path]?.[method]?.parameters?.map(({ name }) => name);
  expect(names('/api/v1/alarms', 'post')).toContain('idempotency-key');
  expect(names('/api/v1/stations/{id}', 'put')).toEqual(['id', 'idempotency-key', 'if-match']);
});

test('schemas that have a name stand once, under it', async () => {
  const document = await documentOf();
  const alarms = document.paths['/api/v1/alarms'];
  expect(alarms?.['get']?.responses['200']?.content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/AlarmPage' } },
  });
  const { Alarm, AlarmPage } = document.components.schemas as Record<string, { properties: object }>;
  expect(Object.keys(Alarm?.properties ?? {})).toHaveLength(20);
  expect(AlarmPage).toMatchObject({
    properties: { items: { items: { $ref: '#/components/schemas/Alarm' } } },
  });
  const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name);
});

test('under a prefix the paths stay the same and the server carries it', async () => {
  const [plain, prefixed] = [await documentOf(), await documentOf('/alertws')];
  expect(prefixed.servers).toEqual([{ url: '/alertws' }]);
  expect(prefixed.paths).toEqual(plain.paths);
});

test('the document needs no token', async () => {
  const app = await describedApp('/alertws');
  const answer = await app.inject('/alertws/openapi.json');
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toContain('application/json');
  expect(answer.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(app))));
});

test('the reference page loads nothing from outside', async () => {
  const app = await describedApp('/alertws', true);
  expect((await app.inject('/alertws/docs')).headers['location']).toBe('/alertws/docs/');
  const page = await app.inject('/alertws/docs/');
  expect(page.statusCode).toBe(200);
  expect(page.headers['content-security-policy']).toContain("connect-src 'self'");
  const sources = [...page.body.matchAll(/(?:src|href|url)["']?\s*[=:]\s*["']([^"']+)["']/g)].map(
    ([, at]) => at,
  );
  expect(sources).toEqual(['js/styles.js', 'js/scalar.js', 'js/start.js']);
  expect(page.body).not.toMatch(/https?:\/\//);
  const scripts = await Promise.all(sources.map((source) => app.inject(`/alertws/docs/${source}`)));
  for (const script of scripts) {
    expect(script.statusCode).toBe(200);
    expect(script.headers['content-type']).toContain('javascript');
  }
  const start = scripts.at(-1)?.body;
  expect(start).toContain('"url": "../../openapi.json"');
  expect(start).toContain('"withDefaultFonts": false');
  expect(start).toContain('"telemetry": false');
  const policy = String(page.headers['content-security-policy']);
  expect(policy).not.toMatch(/https?:|\*/);
});

test('the reference page has no inline script and no inline style', async () => {
  const app = await describedApp('/alertws', true);
  const page = await app.inject('/alertws/docs/');
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("style-src 'self';");
  expect(policy).not.toContain('unsafe');
  const inline = [...page.body.matchAll(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)[^>]*>/g)];
  expect(inline.map(([found]) => found)).toEqual([]);
});

test('other routes keep the strict policy', async () => {
  const app = await describedApp('', true);
  expect((await app.inject('/livez')).headers['content-security-policy']).toBe(
    "default-src 'none'; frame-ancestors 'none'",
  );
});
