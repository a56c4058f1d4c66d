import { readFile } from 'node:fs/promises';
import { type Problem, problems } from '@tocsin/contract';
import fc from 'fast-check';
import { test as base, expect, inject } from 'vitest';
import {
  type BadRequest,
  badRequests,
  type Endpoint,
  endpoints,
} from '../harness/bad-requests/bad-requests.ts';
import { createDatabase } from '../harness/database.ts';
import type { Answer, HttpClient } from '../harness/http/http-client.ts';
import { logIn } from '../harness/installation.ts';
import { create, type Page, read } from '../harness/plant.ts';
import { type Server, startServer } from '../harness/server.ts';

const each = 500;
/** Requests before the memory is measured, so that the heap has its final size. */
const warmUp = 6_000;
const atOnce = 16;
const maxMs = 5_000;
const largestGrowthMb = 64;
/** `BAD_REQUESTS_SEED=… npm run acceptance bad-requests` sends the same requests again. */
const seed = Number(process.env['BAD_REQUESTS_SEED'] ?? Date.now() % 2 ** 31);

type Target = { server: Server; client: HttpClient; memoryMb: number };

/** `test` with one server for all, warmed up by bad requests before its memory is measured. */
const test = base
  .extend('installed', { scope: 'file' }, async () => {
    const database = await createDatabase(inject('durableClusterUrl'));
    const server = await startServer({ databaseUrl: database.url, environment: { DRAIN_MS: '0' } });
    return { database, server };
  })
  .extend('target', { scope: 'file' }, async ({ installed: { database, server } }, { onCleanup }) => {
    const client = await logIn(server);
    onCleanup(async () => {
      client.close();
      await server.stop();
      await database.drop();
    });
    for (const endpoint of endpoints) {
      await sendAll(
        client,
        generate(endpoint, { count: Math.ceil(warmUp / endpoints.length), seed: seed + 1 }),
      );
    }
    return { server, client, memoryMb: await residentMb(server) } satisfies Target;
  });

function generate(endpoint: Endpoint, { count, seed: given }: { count: number; seed: number }): BadRequest[] {
  return fc.sample(badRequests(endpoint), { numRuns: count, seed: given });
}

type Answered = { request: BadRequest; answer: Answer | undefined; error: string; ms: number };

async function sendAll(client: HttpClient, requests: readonly BadRequest[]): Promise<Answered[]> {
  const waiting = requests.values();
  const answered: Answered[] = [];
  const work = async () => {
    for (const request of waiting) {
      const { method, path, raw, headers, token } = request;
      const started = performance.now();
      const { answer, error } = await client
        .send(method, path, {
          ...(raw !== undefined && { raw }),
          ...(headers && { headers }),
          ...(token !== undefined && { token }),
        })
        .then(
          (answer) => ({ answer, error: '' }),
          (error: unknown) => ({ answer: undefined, error: String(error) }),
        );
      answered.push({ request, answer, error, ms: performance.now() - started });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return answered;
}

/** The fault of an answer; undefined if it is right. */
function faultOf({ request, answer, error, ms }: Answered): string | undefined {
  if (!answer) return `no answer: ${error}`;
  if (ms > maxMs) return `answered after ${Math.round(ms)} ms`;
  if (!(request.expected ?? [400]).includes(answer.status)) return `status ${answer.status} ${answer.text}`;
  if (!answer.headers['content-type']?.startsWith('application/problem+json')) return 'no problem+json';
  return faultOfProblem(answer);
}

function faultOfProblem(answer: Answer): string | undefined {
  const problem = answer.json<Partial<Problem>>();
  const known = Object.entries(problems).find(([code]) => code === problem.code);
  if (known === undefined) return `the code ${problem.code} is in no table`;
  const [code, { status, title }] = known;
  const wanted = { type: `urn:tocsin:problem:${code}`, title, status };
  const wrong = Object.entries(wanted).find(
    ([name, value]) => problem[name as keyof typeof wanted] !== value,
  );
  if (wrong || status !== answer.status) return `not as the table has it: ${answer.text}`;
  if (!problem.detail || !problem.instance?.startsWith('/'))
    return `no detail or no instance: ${answer.text}`;
  const header = status === 405 ? 'allow' : status === 401 ? 'www-authenticate' : 'content-type';
  return answer.headers[header] === undefined ? `no header ${header}` : undefined;
}

const show = ({ fault, method, path, raw = '', headers }: BadRequest) =>
  `[${fault}] ${method} ${path.slice(0, 200)} ${JSON.stringify(headers ?? {}).slice(0, 100)} ${raw.slice(0, 300)}`;

async function residentMb({ pid }: Server): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

test.for(endpoints)(
  `${each} bad requests to $method $path are refused, each with a problem`,
  async (endpoint, { target }) => {
    const answered = await sendAll(target.client, generate(endpoint, { count: each, seed }));
    const faults = answered.flatMap((one) => {
      const fault = faultOf(one);
      return fault === undefined ? [] : `${show(one.request)}\n    → ${fault.slice(0, 300)}`;
    });
    expect(answered).toHaveLength(each);
    const seeded = `BAD_REQUESTS_SEED=${seed}: ${faults.length} faults`;
    expect(faults.length === 0 ? [] : [seeded, ...faults.slice(0, 20)]).toEqual([]);
  },
);

test('after all bad requests the server has not grown, has stored nothing, and works', async ({ target }) => {
  const { client, server, memoryMb } = target;
  const growth = (await residentMb(server)) - memoryMb;
  console.log(
    `memory: ${Math.round(memoryMb)} MB after ${warmUp} requests, ${growth.toFixed(0)} MB more in the end`,
  );
  expect(growth).toBeLessThan(largestGrowthMb);

  for (const list of ['alarms', 'alarms/histories', 'callgroups', 'callgroupgroupings', 'call/histories']) {
    expect(await read<Page<unknown>>(client, list)).toMatchObject({ items: [], paging: { total: 0 } });
  }
  const id = await create(client, 'alarms', { path: 'pump', alarmMessage: 'after the storm' });
  expect(await read(client, `alarms/${id}`)).toMatchObject({ path: 'pump', state: 3 });
  expect(server.output()).not.toMatch(/"level":(50|60)/);
});
