import type { TagImportResult, TagItem } from '@tocsin/contract';
import { expect } from 'vitest';
import { type Client, test as withApp } from '../testing/app.fixture.ts';

/** A plant with two tag groups, a scenario and three tags. */
const test = withApp.extend('engineer', async ({ client }): Promise<Client> => {
  const engineer = client('engineer');
  for (const name of ['Pumps', 'Filters']) await engineer.post('/taggroups', { name });
  await engineer.post('/scenarios', { name: 'Flood' });
  const pump = { tagGroupId: 1, priority: 2, alarmMessage: 'Pump stopped' };
  for (const path of ['P1', 'P2']) await engineer.post('/alarms', { path, ...pump });
  await engineer.post('/alarms', { path: 'F1', tagGroupId: 2, priority: 3, alarmDelay: 30 });
  return engineer;
});

const listed = async (client: Client, query = ''): Promise<TagItem[]> =>
  (await client.get(`/tags?limit=100&${query}`)).json().items;
const pathsOf = (items: readonly TagItem[]) => items.map(({ path }) => path);

async function importFile(client: Client, csv: string, dryRun = false): Promise<TagImportResult> {
  const answer = await client.post(`/tags/import?dryRun=${dryRun}`, { csv });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

test('tags are listed by group, priority, search and missing guidance', async ({ engineer }) => {
  expect(pathsOf(await listed(engineer))).toEqual(['P1', 'P2', 'F1']);
  expect(pathsOf(await listed(engineer, 'tagGroupId=1'))).toEqual(['P1', 'P2']);
  expect(pathsOf(await listed(engineer, 'priority=3'))).toEqual(['F1']);
  expect(pathsOf(await listed(engineer, 'search=stopped&sort=-id'))).toEqual(['P2', 'P1']);
  await engineer.put('/taggroups/1/guidance', { steps: ['Start the other pump'] });
  expect(pathsOf(await listed(engineer, 'guidance=missing'))).toEqual(['F1']);
  expect(pathsOf(await listed(engineer, 'guidance=present'))).toEqual(['P1', 'P2']);
  expect((await listed(engineer)).map(({ hasGuidance }) => hasGuidance)).toEqual([true, true, false]);
  const page = (await engineer.get('/tags?limit=1&offset=1')).json();
  expect(page).toMatchObject({ items: [{ path: 'P2' }], paging: { offset: 1, limit: 1, total: 3 } });
});

test('a tag that ends with its alarm is not listed', async ({ engineer }) => {
  await engineer.post('/alarms', { path: 'helper', temporary: true, raised: true });
  expect(pathsOf(await listed(engineer))).not.toContain('helper');
});

test('one change is made to many tags, and the journal tells who made it', async ({ engineer }) => {
  const tags = (await listed(engineer, 'tagGroupId=1')).map(({ id, version }) => ({ id, version }));
  const change = { priority: 1, alarmDelay: 10, scenarioId: 1, tagGroupId: 2 };
  const answer = await engineer.post('/tags/changes', { tags, change });
  expect(answer.json()).toEqual({ changed: 2, unchanged: 0 });
  expect(await listed(engineer, 'scenarioId=1')).toMatchObject([
    { path: 'P1', ...change, alarmMessage: 'Pump stopped' },
    { path: 'P2', ...change },
  ]);
  const timeline = (await engineer.get('/alarms/1/timeline?sort=-id')).json().items;
  expect(timeline[0]).toMatchObject({ kind: 'defined', actor: 'engineer' });
  expect(timeline[0].changes).toContainEqual({ member: 'priority', before: 2, after: 1 });
  const again = await engineer.post('/tags/changes', { tags: [{ id: 1 }, { id: 3 }], change });
  expect(again.json()).toEqual({ changed: 1, unchanged: 1 });
});

test('an alarm after a bulk edit has the new priority, although its tag was cached', async ({ engineer }) => {
  await engineer.post('/alarms', { path: 'P1', raised: true });
  await engineer.post('/tags/changes', { tags: [{ id: 1 }], change: { priority: 4 } });
  await engineer.post('/alarms', { path: 'P1', raised: true, value: '7' });
  expect((await engineer.get('/alarms/1')).json()).toMatchObject({ priority: 4, value: '7' });
});

test('an import and a bulk edit raise no alarm and end none', async ({ engineer }) => {
  await engineer.post('/alarms/2/reset', {});
  await engineer.post('/alarms/2/acknowledge', {});
  const statesOf = async () =>
    Promise.all([1, 2].map(async (id) => (await engineer.get(`/alarms/${id}`)).json().state));
  expect(await statesOf()).toEqual([3, 0]);
  await importFile(engineer, 'path,message\nP1,one\nP2,two\nnew,three');
  await engineer.post('/tags/changes', { tags: [{ id: 1 }, { id: 2 }], change: { priority: 7 } });
  expect(await statesOf()).toEqual([3, 0]);
  const current = (await engineer.get('/alarms?limit=100')).json().items;
  expect(current.map(({ path }: { path: string }) => path)).toEqual(['P1', 'F1']);
});

test('nothing is changed if somebody else has changed one of the tags', async ({ engineer }) => {
  const tags = (await listed(engineer)).map(({ id, version }) => ({ id, version }));
  await engineer.post('/alarms', { path: 'P2', alarmMessage: 'Pump 2 stopped' });
  const answer = await engineer.post('/tags/changes', { tags, change: { priority: 9 } });
  expect(answer.statusCode).toBe(412);
  expect(answer.json()).toMatchObject({
    code: 'stale-version',
    errors: [{ pointer: '/tags/1', message: 'P2 was changed by someone else' }],
  });
  expect((await listed(engineer)).map(({ priority }) => priority)).toEqual([2, 2, 3]);
});

test('a change of unknown tags or to unknown groups is refused', async ({ engineer }) => {
  const unknownTag = await engineer.post('/tags/changes', { tags: [{ id: 99 }], change: { priority: 1 } });
  expect(unknownTag.json()).toMatchObject({ code: 'not-found', detail: 'There is no tag 99' });
  const unknownGroup = await engineer.post('/tags/changes', {
    tags: [{ id: 1 }],
    change: { tagGroupId: 99 },
  });
  expect(unknownGroup.json()).toMatchObject({ errors: [{ pointer: '/change/tagGroupId' }] });
  const nothing = await engineer.post('/tags/changes', { tags: [{ id: 1 }], change: {} });
  expect(nothing.statusCode).toBe(400);
});

test('a dry run tells what would change and changes nothing', async ({ engineer }) => {
  const before = await listed(engineer);
  const csv = [
    'path;tagGroup;priority;delay;scenario;message',
    'P1;Filters;2;;;"Pump 1; stopped"',
    'P2;Pumps;2;0;;Pump stopped',
    'N1;Pumps;1;5;Flood;=1+1',
  ].join('\r\n');
  const result = await importFile(engineer, `\uFEFF${csv}`, true);
  expect(result).toEqual({
    dryRun: true,
    lines: 3,
    added: [
      {
        line: 4,
        path: 'N1',
        values: [
          { column: 'tagGroup', value: 'Pumps' },
          { column: 'priority', value: '1' },
          { column: 'delay', value: '5' },
          { column: 'scenario', value: 'Flood' },
          { column: 'message', value: '=1+1' },
        ],
      },
    ],
    changed: [
      {
        line: 2,
        id: 1,
        path: 'P1',
        changes: [
          { column: 'tagGroup', before: 'Pumps', after: 'Filters' },
          { column: 'message', before: 'Pump stopped', after: 'Pump 1; stopped' },
        ],
      },
    ],
    unchanged: 1,
    missing: 1,
    wrong: [],
  });
  expect(await listed(engineer)).toEqual(before);
  expect(await importFile(engineer, csv)).toEqual({ ...result, dryRun: false });
  expect(await listed(engineer, 'search=N1')).toMatchObject([
    { tagGroup: 'Pumps', priority: 1, alarmDelay: 5, scenarioId: 1, alarmMessage: '=1+1' },
  ]);
});

test('wrong lines are left out and named with their reasons', async ({ engineer }) => {
  await engineer.post('/taggroups', { name: 'Pumps' });
  const csv = [
    'path,tagGroup,priority,station',
    ',Filters,1,',
    'A,Valves,1,',
    'B,Pumps,1,',
    'C,#3,urgent,',
    'D,#3,-1,',
    'P1,,1,',
    'P1,,2,',
    'E,,1,,x',
    `${'x'.repeat(1_025)},,1,`,
    'F,#3,1,',
  ].join('\n');
  const { wrong, added, changed } = await importFile(engineer, csv);
  expect(wrong.map(({ line, code, column }) => [line, code, column])).toEqual([
    [2, 'no-path', undefined],
    [3, 'unknown-name', 'tagGroup'],
    [4, 'ambiguous-name', 'tagGroup'],
    [5, 'not-a-number', 'priority'],
    [6, 'not-a-number', 'priority'],
    [8, 'duplicate', undefined],
    [9, 'too-many-cells', undefined],
    [10, 'too-long', 'path'],
  ]);
  expect(wrong[1]?.reason).toBe('tagGroup: Valves does not exist');
  expect(added.map(({ path }) => path)).toEqual(['F']);
  expect(changed.map(({ path }) => path)).toEqual(['P1']);
  expect(pathsOf(await listed(engineer))).toEqual(['P1', 'P2', 'F1', 'F']);
});

test.for([
  ['/csv has no column path', 'message\nx'],
  ['/csv has an unknown column colour', 'path,colour\nx,y'],
  ['/csv has a column twice', 'path,Path\nx,y'],
  ['/csv has a quoted cell that does not end', 'path\n"x'],
  ['/csv is empty', '\uFEFF\n'],
] as const)('a file that cannot be understood changes nothing: %s', async ([reason, csv], { engineer }) => {
  const answer = await engineer.post('/tags/import', { csv });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().detail).toContain(reason);
});

test('an export can be imported again without a change', async ({ engineer }) => {
  await engineer.post('/taggroups', { name: 'Pumps' });
  await engineer.post('/alarms', {
    path: '=cmd',
    tagGroupId: 3,
    alarmMessage: '@"a",\r\nb;c',
    resetMessage: "'-x",
  });
  for (const separator of ['comma', 'semicolon']) {
    const answer = await engineer.get(`/tags/export?separator=${separator}`);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.body.startsWith('\uFEFFdataServer')).toBe(true);
    expect(answer.body).not.toMatch(/(?:^|[,;"\n])[=@]/m);
    const result = await importFile(engineer, answer.body);
    expect(result).toMatchObject({ added: [], changed: [], unchanged: 4, missing: 0, wrong: [] });
  }
});

test('somebody limited to a station neither sees nor changes the tags of another', async ({
  client,
  engineer,
}) => {
  await client('admin').post('/stations', { name: 'Ardenne', timeZone: 'Europe/Paris' });
  await engineer.post('/alarms', { path: 'A1', stationId: 2, priority: 1 });
  const own = client('engineer', { stationIds: [2] });
  expect(pathsOf(await listed(own))).toEqual(['A1']);
  expect((await own.get('/tags/export')).body).not.toContain('P1');
  const refused = await own.post('/tags/changes', { tags: [{ id: 1 }], change: { priority: 9 } });
  expect(refused.statusCode).toBe(404);
  const result = await importFile(own, 'path,station,priority\nP1,,9\nA1,,2\nA2,Ardenne,1\nA3,,1');
  expect(result.wrong.map(({ line, code }) => [line, code])).toEqual([
    [2, 'not-allowed'],
    [5, 'refused'],
  ]);
  expect(result).toMatchObject({ changed: [{ path: 'A1' }], added: [{ path: 'A2' }], missing: 0 });
  expect((await listed(engineer)).find(({ path }) => path === 'P1')?.priority).toBe(2);
});

test('an operator reads tags and may not change them', async ({ client, engineer }) => {
  const operator = client('operator');
  expect(await listed(operator)).toEqual(await listed(engineer));
  expect((await operator.post('/tags/import', { csv: 'path\nx' })).statusCode).toBe(403);
  expect(
    (await operator.post('/tags/changes', { tags: [{ id: 1 }], change: { priority: 1 } })).statusCode,
  ).toBe(403);
});

test('the audit trail has who imported, and how much', async ({ client, engineer }) => {
  await importFile(engineer, 'path,priority\nP1,1\nN1,1\n,1');
  const [entry] = (await client('admin').get('/audit?limit=1')).json().items;
  expect(entry).toMatchObject({
    action: 'tag.import',
    after: { dryRun: false, added: 1, changed: 1, unchanged: 0, wrong: 1 },
  });
});

test('a retired tag leaves the list but not its alarm, and an import that names it brings it back', async ({
  engineer,
}) => {
  const [pump] = await listed(engineer);
  const tags = [{ id: pump?.id, version: pump?.version }];
  const answer = await engineer.post('/tags/changes', { tags, change: { temporary: true } });
  expect(answer.json()).toEqual({ changed: 1, unchanged: 0 });
  expect(pathsOf(await listed(engineer))).toEqual(['P2', 'F1']);
  const current = (await engineer.get('/alarms?limit=100')).json().items;
  expect(current.map(({ path }: { path: string }) => path)).toContain('P1');
  await importFile(engineer, 'path\nP1');
  expect(pathsOf(await listed(engineer))).toEqual(['P1', 'P2', 'F1']);
});
