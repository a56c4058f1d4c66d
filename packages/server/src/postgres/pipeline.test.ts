import type { Socket } from 'node:net';
import type pg from 'pg';
import { test as base, expect } from 'vitest';
import { cloneDatabase } from '../testing/plant.fixture.ts';
import { openDatabase } from './database.ts';
import { awaitPipelined, sendInOneWrite, socketOf } from './pipeline.ts';

/** One connection, opened as the server opens it: a pool of one, so that a second use is a reuse. */
const test = base.extend('pool', async ({ task: _task }, { onCleanup }) => {
  const { url, drop } = await cloneDatabase();
  const database = openDatabase({ url, connections: 1 });
  onCleanup(async () => {
    await database.close();
    await drop();
  });
  return database.pool;
});

const hint = 'pg has changed: adapt postgres/pipeline.ts, or pin the version that worked';

async function withClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

const numbers = (client: pg.PoolClient, ...expressions: string[]) =>
  expressions.map(
    async (expression) =>
      (await client.query<{ number: number }>('select $1::integer as number', [Number(expression)])).rows[0]
        ?.number,
  );

/** Fails as a statement of the extended protocol does, after the statements before it have succeeded. */
const divide = (client: pg.PoolClient) => client.query('select 1 / $1::integer', [0]);

/** Counts the writes to the socket until all statements of `send` have answered. */
async function countWrites(client: pg.PoolClient, send: () => Promise<unknown>[]): Promise<number> {
  const socket = socketOf(client);
  const { _write: write, _writev: writev } = socket;
  let count = 0;
  Object.assign(socket, {
    _write: (...args: Parameters<typeof write>) => {
      count += 1;
      write.apply(socket, args);
    },
    _writev: (...args: Parameters<NonNullable<typeof writev>>) => {
      count += 1;
      writev?.apply(socket, args);
    },
  });
  await Promise.all(send());
  Object.assign(socket, { _write: write, _writev: writev });
  return count;
}

test('the driver gives access to a socket that can hold its writes back', async ({ pool }) => {
  await withClient(pool, async (client) => {
    const { cork, uncork, _write, _writev } = socketOf(client) ?? {};
    for (const member of [cork, uncork, _write, _writev]) expect(member, hint).toBeTypeOf('function');
  });
});

test('statements are sent before the first answer', async ({ pool }) => {
  await withClient(pool, async (client) => {
    const socket = socketOf(client) as Socket;
    const bytesOf = async (send: () => Promise<unknown>[]) => {
      const before = socket.bytesWritten;
      const sent = send();
      const bytes = socket.bytesWritten - before;
      await Promise.all(sent);
      return bytes;
    };
    const bytesOfOne = await bytesOf(() => numbers(client, '1'));
    expect(await bytesOf(() => numbers(client, '1', '2', '3')), hint).toBe(3 * bytesOfOne);
  });
});

test('statements that are held back leave in one write', async ({ pool }) => {
  await withClient(pool, async (client) => {
    const send = () => numbers(client, '1', '2', '3');
    expect(await countWrites(client, send), 'else nothing need be held back').toBeGreaterThan(1);
    expect(await countWrites(client, () => sendInOneWrite(client, send)), hint).toBe(1);
  });
});

test('results arrive in the order of their statements', async ({ pool }) => {
  const order: number[] = [];
  const results = await withClient(pool, (client) =>
    sendInOneWrite(client, () =>
      awaitPipelined(
        numbers(client, '1', '2', '3').map(async (sent) => {
          const number = await sent;
          order.push(number ?? 0);
          return number;
        }),
      ),
    ),
  );
  expect(results).toEqual([1, 2, 3]);
  expect(order, hint).toEqual([1, 2, 3]);
});

test('an error in the middle fails its statement and those behind it in the transaction', async ({
  pool,
}) => {
  await withClient(pool, async (client) => {
    await client.query('begin');
    const outcomes = await Promise.allSettled(
      sendInOneWrite(client, () => [...numbers(client, '1'), divide(client), ...numbers(client, '3')]),
    );
    const codes = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? 'done' : (outcome.reason as { code?: string }).code,
    );
    expect(codes, hint).toEqual(['done', '22012', '25P02']);
    await client.query('rollback');
  });
});

test('outside a transaction an error fails its own statement only', async ({ pool }) => {
  await withClient(pool, async (client) => {
    const outcomes = await Promise.allSettled(
      sendInOneWrite(client, () => [...numbers(client, '1'), divide(client), ...numbers(client, '3')]),
    );
    expect(
      outcomes.map(({ status }) => status),
      hint,
    ).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

test('the same connection works after an error', async ({ pool }) => {
  const pid = () =>
    withClient(pool, async (client) => (await client.query('select pg_backend_pid() as pid')).rows[0]?.pid);
  const before = await pid();
  await withClient(pool, async (client) => {
    await client.query('begin');
    const sent = sendInOneWrite(client, () => [
      ...numbers(client, '1'),
      divide(client),
      ...numbers(client, '3'),
    ]);
    await expect(awaitPipelined(sent)).rejects.toThrow('division by zero');
    await client.query('rollback');
    expect(await awaitPipelined(numbers(client, '4', '5')), hint).toEqual([4, 5]);
  });
  expect(await pid()).toBe(before);
});

test('the error thrown is the failure, not the refusals that follow it', async ({ pool }) => {
  await withClient(pool, async (client) => {
    await client.query('begin');
    const nested = async () => void (await awaitPipelined([client.query('select 1'), divide(client)]));
    // The refusal of the last statement arrives first: it passes through fewer functions.
    const all = awaitPipelined([nested(), client.query('select 2')]);
    await expect(all).rejects.toThrow('division by zero');
    await client.query('rollback');
  });
});
