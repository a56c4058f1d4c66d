import pg from 'pg';
import { expect } from 'vitest';
import { signWebhook } from './channels/kinds/webhook-signature.ts';
import { type HubSite, test } from './hub/testing/hub.fixture.ts';
import { openNightShift, phoneSecret } from './hub/testing/phones.fixture.ts';
import { newSetUpCode } from './people/set-up-code.ts';

// The figures of docs/operations.md, "Guessing codes".
const triesOfSetUpCode = 5;
const triesOfAnswerCode = 5;
const setUpCodes = 31 ** 12;
const answerCodes = 10 ** 6;

const guesses = 400;

async function asOwner<Row extends object>({ databaseUrl }: HubSite, query: string): Promise<Row[]> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    await owner.query("select set_config('tocsin.tenant', '1', false)");
    return (await owner.query<Row>(query)).rows;
  } finally {
    await owner.end();
  }
}

/** Sends the guesses over 20 concurrent loops, as fast as the server answers. */
async function hammer(send: (guess: number) => Promise<number>): Promise<number[]> {
  let next = 0;
  const statuses: number[] = [];
  const row = async () => {
    while (next < guesses) statuses.push(await send(next++));
  };
  await Promise.all(Array.from({ length: 20 }, row));
  return statuses;
}

test('of 400 guesses of a set-up code 5 are checked, however many servers there are', async ({ site }) => {
  const first = await site.start({}, {});
  const second = await site.start({}, {});
  const setUp = async (url: string, code: string) => {
    const body = JSON.stringify({ code, username: 'root', password: 'correct horse battery' });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${url}/api/v1/setup`, { method: 'POST', headers, body })).status;
  };
  const statuses = await hammer((guess) => setUp((guess % 2 ? first : second).url, newSetUpCode()));
  expect(new Set(statuses)).toEqual(new Set([403]));
  const [kept] = await asOwner<{ failures: number }>(site, 'select failures from set_up_codes');
  expect(kept?.failures).toBe(triesOfSetUpCode);
  expect(await setUp(second.url, second.setUpCode ?? ''), 'the code itself is invalid now').toBe(403);
  expect(triesOfSetUpCode / setUpCodes).toBeLessThan(1e-17);
});

test('of 400 guesses of an answer code 5 are checked, and of unsigned ones none', async ({ site }) => {
  const { server, admin, phones, call } = await openNightShift(site);
  const alarmId = await call('boiler');
  await expect.poll(() => phones.orders.length).toBe(1);
  const { attemptId, code } = phones.orders[0] ?? { attemptId: '', code: '' };
  let reports = 0;
  const press = async (digits: string, secret: string) => {
    const body = JSON.stringify({ attemptId, reference: 'r', event: 'digits', digits });
    const signed = signWebhook({ id: `guess-${++reports}`, body, now: new Date() }, [secret]);
    const headers = { ...signed, 'content-type': 'application/json' };
    const url = `${server.url}/api/v1/channels/1/callback`;
    return (await fetch(url, { method: 'POST', headers, body })).status;
  };
  const wrong = (guess: number) => String((Number(code) + 1 + guess) % answerCodes).padStart(6, '0');
  const tries = async () => {
    const [attempt] = await asOwner<{ tries: number }>(site, 'select code_tries as tries from call_attempts');
    return attempt?.tries;
  };

  const unsigned = await hammer((guess) => press(wrong(guess), Buffer.alloc(32, 1).toString('base64')));
  expect(new Set(unsigned)).toEqual(new Set([403]));
  expect(await tries()).toBe(0);
  await hammer((guess) => press(wrong(guess), phoneSecret));
  expect(await tries()).toBe(triesOfAnswerCode);
  await press(code, phoneSecret);
  expect(await admin.get(`/alarms/${alarmId}`), 'the right code comes too late').toMatchObject({ state: 3 });
  expect(triesOfAnswerCode / answerCodes).toBe(1 / 200_000);
});
