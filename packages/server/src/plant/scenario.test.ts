import { expect } from 'vitest';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/app.fixture.ts';

test('a scenario keeps its actions as they were sent, and knows which call groups it calls', async ({
  client,
  runtime,
}) => {
  const admin = client('admin');
  await admin.post('/users', { username: 'anna' });
  for (const name of ['Mechanics', 'Electricians', 'Managers']) await admin.post('/callgroups', { name });
  const actions = {
    alarmActions: [
      { id: 2, type: 'CallGroup', flags: 1 },
      { type: 'PlaySound', parameter: 'siren.wav' },
      { id: 1, type: 'CallUser' },
    ],
    resetActions: [{ id: 1, type: 'CallGroup' }],
    ackActions: [
      { type: 'ExecuteCommand', scriptId: 4, parameter: 'stop' },
      { id: 2, type: 'CallGroup' },
    ],
  };
  await admin.post('/scenarios', {
    name: 'Flood',
    ...actions,
    resetActions: [{ ...actions.resetActions[0], colour: 'red' }],
  });
  expect((await admin.get('/scenarios/1')).json()).toMatchObject(actions);
  const { items } = (await admin.get('/scenarios')).json();
  expect(items[0].resetActions).toEqual(actions.resetActions);

  const calledBy = () =>
    inTenant(runtime.database, 1, (transaction) =>
      transaction.selectFrom('scenarios').select('callGroupIds').execute(),
    );
  expect(await calledBy()).toEqual([{ callGroupIds: [1, 2] }]);
  await admin.put('/scenarios/1', { name: 'Flood', ackActions: [{ id: 3, type: 'CallGroup' }] });
  expect(await calledBy()).toEqual([{ callGroupIds: [3] }]);
});

test('a scenario does not follow another scenario', async ({ client }) => {
  const engineer = client('engineer');
  await engineer.post('/scenarios', { name: 'Flood' });
  const answer = await engineer.post('/scenarios', {
    name: 'Worse',
    resetActions: [{ type: 'PlaySound' }, { type: 'Scenario', id: 1 }],
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({
    code: 'invalid-request',
    errors: [{ pointer: '/resetActions/1/type' }],
  });
});

test('an action of an unknown type is refused', async ({ client }) => {
  const answer = await client('engineer').post('/scenarios', {
    name: 'Odd',
    alarmActions: [{ type: 'Sing' }],
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().errors[0].pointer).toBe('/alarmActions/0/type');
});
