import { expect } from 'vitest';
import { test } from '../../testing/app.fixture.ts';

const nest = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('a message full of brackets is accepted quickly', async ({ client }) => {
  const machine = client('machine');
  for (const alarmMessage of ['[ '.repeat(60), '{'.repeat(4_000), '[{('.repeat(4_000)]) {
    const before = process.cpuUsage();
    const answer = await machine.post('/alarms', { path: 'pump', alarmMessage });
    expect(answer.statusCode).toBe(200);
    expect(process.cpuUsage(before).user, 'microseconds').toBeLessThan(5_000_000);
  }
});

test.for([
  { where: 'in a member nobody knows', body: `{"unknown":${nest(65)}}` },
  { where: 'behind much text', body: `{"alarmMessage":"${'x'.repeat(65_000)}","unknown":${nest(400_000)}}` },
  { where: 'behind brackets in a text', body: `{"value":"${']'.repeat(4_000)}","unknown":${nest(100)}}` },
])('a nest of brackets $where is refused', async ({ body }, { client }) => {
  for (const path of ['/alarms', '/callgroups']) {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'nest' };
    const answer = await client('engineer').post(path, body, headers);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ detail: 'The body is nested deeper than 64' });
  }
});

test('NUL and lone surrogates do not lose the alarm', async ({ client }) => {
  const operator = client('operator');
  const body = '{"path":"pump \\u0000","alarmMessage":"\\ud83d fire \\udd25"}';
  const answer = await operator.post('/alarms', body, { 'content-type': 'application/json' });
  expect(answer.statusCode).toBe(200);
  const alarm = (await operator.get(`/alarms/${answer.body}`)).json<object>();
  expect(alarm).toMatchObject({ path: 'pump \uFFFD', message: '\uFFFD fire \uFFFD' });
});
