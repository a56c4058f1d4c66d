import { pino } from 'pino';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { createHttpApp } from './create-http-app.ts';
import { keepRouteTable, methodsOf, routeTable } from './route-table.ts';

function emptyApp() {
  const app = createHttpApp({ log: pino({ level: 'silent' }) });
  keepRouteTable(app);
  return app;
}
const response = { 200: Type.String() };
const body = Type.Object({});
const params = Type.Object({ id: Type.Integer() });
const config = { permission: 'alarms:read', audit: 'journal' } as const;

test('the server does not start with a route that names no permission', async () => {
  const app = emptyApp();
  app.get('/open', { schema: { response } }, async () => 'x');
  await expect(app.ready()).rejects.toThrow('GET /open names no permission');
});

test('the server does not start with a route without a response schema', async () => {
  const app = emptyApp();
  app.get('/vague', { config }, async () => 'x');
  await expect(app.ready()).rejects.toThrow('GET /vague has no response schema');
});

test('the server does not start with a route without schemas of its path and body', async () => {
  const path = emptyApp();
  path.get('/pumps/:id', { config, schema: { response } }, async () => 'x');
  await expect(path.ready()).rejects.toThrow('GET /pumps/:id has no schema of its path');
  const open = emptyApp();
  open.post('/pumps', { config, schema: { response } }, async () => 'x');
  await expect(open.ready()).rejects.toThrow('POST /pumps has no schema of its body');
});

test('the server does not start with a changing route without an audit rule', async () => {
  const app = emptyApp();
  const silent = { permission: 'alarms:read' } as const;
  app.post('/pumps', { config: silent, schema: { response, body } }, async () => 'x');
  await expect(app.ready()).rejects.toThrow('POST /pumps has no audit rule');
});

test('a path knows its methods', async () => {
  const app = emptyApp();
  app.get('/pumps/:id', { config, schema: { response, params } }, async () => 'x');
  app.put('/pumps/:id', { config, schema: { response, params, body } }, async () => 'x');
  app.get('/pumps', { config, schema: { response } }, async () => 'x');
  await app.ready();
  expect(methodsOf(app, '/pumps/7')).toEqual(['GET', 'PUT']);
  expect(methodsOf(app, '/pumps')).toEqual(['GET']);
  expect(methodsOf(app, '/valves')).toEqual([]);
  expect(routeTable(app)).toHaveLength(3);
});
