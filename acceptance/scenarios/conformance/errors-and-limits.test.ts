import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../harness/http/http-client.ts';
import { basePaths, openPlant, type Plant, problem, problemOf, raise, read } from '../../harness/plant.ts';

const mebibyte = 1_048_576;

/** A body of `size` bytes, most of it in an unknown member. */
function bodyOf(bytes: number, path: string): string {
  const empty = JSON.stringify({ path, padding: '' });
  return JSON.stringify({ path, padding: 'x'.repeat(bytes - empty.length) });
}

describe.each(basePaths)('errors and limits at "%s"', (basePath) => {
  let plant: Plant;

  beforeAll(async () => {
    plant = await openPlant(basePath);
    await raise(plant.client, { path: 'First' });
  });
  afterAll(() => plant.close());

  const post = (raw: string | Buffer, headers: Record<string, string> = {}) =>
    plant.client.send('POST', '/api/v1/alarms', { raw, headers });

  test('§7 a problem has type, title, status, detail, instance, code and errors', async () => {
    const answer = await plant.client.get('/api/v1/alarms?limit=ten');
    expect(Object.keys(answer.json<object>()).toSorted()).toEqual([
      'code',
      'detail',
      'errors',
      'instance',
      'status',
      'title',
      'type',
    ]);
  });

  test('§7 the members of a problem say what is wrong and where', async () => {
    const answer = await plant.client.get('/api/v1/alarms?limit=ten');
    expect(answer.json()).toEqual({
      type: expect.stringMatching(/invalid-request$/),
      title: expect.stringMatching(/./),
      status: 400,
      detail: expect.stringContaining('limit'),
      instance: `${basePath}/api/v1/alarms`,
      code: 'invalid-request',
      errors: [{ pointer: 'limit', message: expect.stringMatching(/./) }],
    });
  });

  test('§7 what is wrong in a body is named by a JSON pointer', async () => {
    const body = { location: { beaconList: [{}, { accuracy: 'near' }] } };
    expect((await plant.client.post('/api/v1/alarms', body)).json()).toMatchObject({
      errors: [{ pointer: '/location/beaconList/1/accuracy' }],
    });
  });

  test('§7 instance never shows the query, where a token might be', async () => {
    const answer = await plant.client.get('/api/v1/alarms?limit=ten&access_token=secret');
    expect(answer.text).not.toContain('secret');
  });

  test.each(['/api/v1/nothing', '/api/v1/alarm', '/api/v1/call', '/api', '/nothing'])(
    '§7 GET %s is 404',
    async (path) => {
      expect(problemOf(await plant.client.get(path))).toEqual(problem(404, 'not-found'));
    },
  );

  test.each(['/api/v1/Alarms', '/API/V1/alarms/', '/api/v1/callGroups', '/Api/V1/Alarms/Histories/?Limit=1'])(
    '§4 GET %s is found: paths match in any case and with a slash at the end',
    async (path) => {
      expect((await plant.client.get(path)).status).toBe(200);
    },
  );

  test.each([
    ['/api/v1/alarms', ['GET', 'POST']],
    ['/api/v1/alarms/histories', ['GET']],
    ['/api/v1/alarms/statistics', ['GET']],
    ['/api/v1/alarms/interventions', ['GET']],
    ['/api/v1/call/users', ['POST']],
    ['/api/v1/call/groups', ['POST']],
    ['/api/v1/call/histories', ['GET']],
    ['/api/v1/callgroups', ['GET', 'POST']],
    ['/api/v1/callgroupgroupings', ['GET', 'POST']],
    ['/api/v1/callgroups/1', ['DELETE', 'GET', 'PUT']],
    ['/api/v1/auth/login', ['POST']],
  ])('§7 PATCH %s is 405 and Allow says %j', async (path, methods) => {
    const answer = await plant.client.send('PATCH', path);
    expect(problemOf(answer)).toEqual(problem(405, 'method-not-allowed'));
    expect(
      answer.headers.allow
        ?.split(', ')
        .filter((method) => method !== 'HEAD')
        .toSorted(),
    ).toEqual(methods);
  });

  test.each([
    ['GET', '/api/v1/call/users'],
    ['DELETE', '/api/v1/alarms'],
    ['PUT', '/api/v1/alarms'],
    ['POST', '/api/v1/alarms/statistics'],
  ])('§7 %s %s is 405', async (method, path) => {
    expect(problemOf(await plant.client.send(method, path))).toEqual(problem(405, 'method-not-allowed'));
  });

  test.each([
    ['broken', '{"path": "x"'],
    ['no JSON', 'path=x'],
    ['empty', ''],
    ['a comma too many', '{"path":"x",}'],
    ['single quotes', "{'path':'x'}"],
  ])('§7 a body that is %s is 400', async (_what, raw) => {
    expect(problemOf(await post(raw))).toEqual(problem(400, 'invalid-request'));
  });

  test.each(['[]', '"x"', '7', 'true', 'null', '[{"path":"x"}]'])(
    '§7 a body of %s, which is no object, is 400',
    async (raw) => {
      expect(problemOf(await post(raw))).toEqual(problem(400, 'invalid-request'));
    },
  );

  test('§7 a body nested a thousand deep is 400', async () => {
    const raw = `{"location":${'['.repeat(1_000)}${']'.repeat(1_000)}}`;
    expect(problemOf(await post(raw))).toEqual(problem(400, 'invalid-request'));
  });

  test('§7 a body that names __proto__ is 400, or as if it did not', async () => {
    const answer = await post('{"path":"Proto","__proto__":{"priority":9}}');
    expect([200, 400]).toContain(answer.status);
    if (answer.status === 200) {
      expect(await read<object>(plant.client, `alarms/${answer.text}`)).toMatchObject({ priority: 1 });
    }
  });

  test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    '§7 a body of the type %s is 415',
    async (type) => {
      expect(problemOf(await post('{"path":"x"}', { 'content-type': type }))).toEqual(
        problem(415, 'unsupported-media-type'),
      );
    },
  );

  test('§8 a body of 1 MiB is taken', async () => {
    const answer = await post(bodyOf(mebibyte, 'One mebibyte'));
    expect(answer.status).toBe(200);
    expect(await read<object>(plant.client, `alarms/${answer.text}`)).toMatchObject({ path: 'One mebibyte' });
  });

  test('§8 a body of one byte more than 1 MiB is 413', async () => {
    expect(problemOf(await post(bodyOf(mebibyte + 1, 'Too much')))).toEqual(problem(413, 'body-too-large'));
  });

  test('§8 a body of 5 MiB is 413, and the next request is served', async () => {
    const answer = await post(bodyOf(5 * mebibyte, 'Far too much')).catch((error: Error) => error);
    // A client that goes on writing may see its connection closed instead of the answer.
    if (!(answer instanceof Error)) expect(problemOf(answer)).toEqual(problem(413, 'body-too-large'));
    expect((await plant.client.get('/api/v1/alarms')).status).toBe(200);
  });

  test('§8 a message of 64 KiB is kept whole, one longer is 400', async () => {
    const alarmMessage = 'ä'.repeat(65_536);
    const id = await raise(plant.client, { path: 'Long message', alarmMessage });
    expect(await read<object>(plant.client, `alarms/${id}`)).toMatchObject({ message: alarmMessage });
    const answer = await plant.client.post('/api/v1/alarms', { alarmMessage: `${alarmMessage}ä` });
    expect(problemOf(answer)).toEqual(problem(400, 'invalid-request'));
  });

  test('§7 a NUL in a text loses no alarm', async () => {
    const answer = await post('{"path":"Nul","alarmMessage":"before\\u0000after"}');
    expect(answer.status).toBe(200);
    const { message } = await read<{ message: string }>(plant.client, `alarms/${answer.text}`);
    expect(message).toMatch(/^before.after$/u);
  });

  test('§7 half an emoji in a text loses no alarm', async () => {
    const answer = await post('{"path":"Surrogate","alarmMessage":"before\\ud83dafter"}');
    expect(answer.status).toBe(200);
    const { message } = await read<{ message: string }>(plant.client, `alarms/${answer.text}`);
    expect(message).toMatch(/^before.after$/u);
  });

  test('§7 what is not HTTP is answered 400 and hurts nobody', async () => {
    const { hostname, port } = new URL(plant.baseUrl);
    const said = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.end('NONSENSE\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => {
        text += String(chunk);
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(said).toMatch(/^HTTP\/1\.1 400 /);
    expect((await plant.client.get('/api/v1/alarms')).status).toBe(200);
  });

  test.each([
    ['a success', '/api/v1/alarms', 200],
    ['a problem', '/api/v1/alarms?limit=x', 400],
    ['a refusal', '/api/v1/alarms', 401],
  ])('§8 %s carries the RateLimit headers', async (_what, path, status) => {
    const answer = await plant.client.get(path, status === 401 ? { token: null } : {});
    expect(answer.status).toBe(status);
    expect(answer.headers['ratelimit-policy']).toMatch(/^"[a-z]+";q=\d+;w=\d+$/);
    expect(answer.headers['ratelimit']).toMatch(/^"[a-z]+";r=\d+;t=\d+$/);
  });

  test('§8 an answer is never to be kept by anyone on the way', async () => {
    expect((await plant.client.get('/api/v1/alarms')).headers['cache-control']).toContain('no-store');
  });
});

describe.each(basePaths)('a small rate limit at "%s"', (basePath) => {
  let plant: Plant;

  beforeAll(async () => {
    plant = await openPlant(basePath, { RATE_LIMIT_PER_SECOND: '5', INTAKE_LIMIT_PER_SECOND: '5' });
  });
  afterAll(() => plant.close());

  const many = (send: () => Promise<Answer>) => Promise.all(Array.from({ length: 40 }, send));

  test('§8 too many requests are 429 with Retry-After and RateLimit headers', async () => {
    const answers = await many(() => plant.client.get('/api/v1/alarms?limit=0'));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(refused.length).toBeGreaterThanOrEqual(20);
    for (const answer of refused) {
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json\b/);
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(answer.headers['ratelimit']).toMatch(/;r=0;/);
      expect(answer.json()).toMatchObject({ status: 429, code: 'too-many-requests' });
    }
  });

  test('§8 after Retry-After the same request is served', async () => {
    const refused = (await many(() => plant.client.get('/api/v1/alarms?limit=0'))).find(
      ({ status }) => status === 429,
    );
    const seconds = Number(refused?.headers['retry-after']);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    expect((await plant.client.get('/api/v1/alarms?limit=0')).status).toBe(200);
  });

  test('§8 reading too much does not keep alarms from coming in', async () => {
    const reading = many(() => plant.client.get('/api/v1/alarms?limit=0'));
    const raised = await plant.client.post('/api/v1/alarms', { path: 'Still heard' });
    const answers = await reading;
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(20);
    expect(raised.status).toBe(200);
  });

  test('§8 requests without a token are limited too', async () => {
    const answers = await many(() => plant.someone().get('/api/v1/alarms', { token: null }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  });

  test('§8 probes are never refused', async () => {
    const answers = await many(() => plant.someone().get('/livez', { token: null }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
