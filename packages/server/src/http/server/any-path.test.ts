import { expect } from 'vitest';
import { test } from '../../testing/app.fixture.ts';

test.for(['/Alarms', '/alarms/', '/ALARMS/?limit=1', '/callGroups', '/CallGroups/', '/Alarms/Histories/'])(
  'GET %s is found',
  async (path, { client }) => {
    expect((await client('operator').get(path)).statusCode).toBe(200);
  },
);

test('a path in another case accepts the same requests', async ({ client }) => {
  const operator = client('operator');
  const id = (await operator.post('/Alarms/', { path: 'pump' })).json<number>();
  expect((await operator.post(`/ALARMS/${id}/Acknowledge/`)).json()).toMatchObject({ id, state: 1 });
  const wrong = await operator.put('/Alarms/', {});
  expect(wrong.statusCode).toBe(405);
  expect(wrong.headers['allow']).toBe('GET, POST');
  expect((await operator.get('/Nothing/')).statusCode).toBe(404);
});

test('a value in a path keeps its case', async ({ app }) => {
  const answer = await app.inject({ method: 'GET', url: '/ANSWER/AbC.dEf/' });
  expect(answer.statusCode).toBe(404);
  expect(answer.headers['content-type']).toContain('text/html');
});

test.for([
  ['POST', '/acknowledge', 'application/json'],
  ['POST', '/acknowledge', 'application/json; charset=utf-8'],
  ['POST', '/reset', 'application/x-www-form-urlencoded'],
  ['POST', '/unmask', 'text/plain'],
] as const)('%s …%s with an empty body of the type %s needs no body', async ([, verb, type], { client }) => {
  const operator = client('operator');
  const id = (await operator.post('/alarms', { path: 'pump' })).json<number>();
  const answer = await operator.post(`/alarms/${id}${verb}`, '', { 'content-type': type });
  expect(answer.statusCode, answer.body).toBe(200);
});

test('a deletion with an empty JSON body succeeds', async ({ client }) => {
  const engineer = client('engineer');
  const id = (await engineer.post('/callgroups', { name: 'Night' })).json<number>();
  const headers = { 'content-type': 'application/json', 'content-length': '0' };
  expect((await engineer.delete(`/callgroups/${id}`, headers)).statusCode).toBe(204);
});

test('a required body that is empty is answered with 400, and one of another type with 415', async ({
  client,
}) => {
  const operator = client('operator');
  const json = { 'content-type': 'application/json' };
  expect((await operator.post('/alarms', '', json)).json()).toMatchObject({ code: 'invalid-request' });
  expect((await operator.post('/alarms', 'x=1', { 'content-type': 'text/plain' })).statusCode).toBe(415);
});
