import type { User } from '@tocsin/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, launch, type Size, sitDown } from '../harness/console/browser.ts';
import { type OnCallPlant, openOnCallPlant } from '../harness/on-call/on-call-plant.ts';
import { create, granted, read } from '../harness/plant.ts';
import { sampleOf } from '../harness/sample.ts';

let plant: OnCallPlant;
let browser: Browser;

const password = 'a long enough password';

beforeAll(async () => {
  plant = await openOnCallPlant();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

/** Somebody who has added this mobile number themself. */
async function hire(username: string, address: string): Promise<number> {
  await plant.company.script(address, { kind: 'receives' });
  const id = await create(plant.client, 'users', { username, name: username, role: 'operator', password });
  const own = plant.someone();
  granted(await own.logIn(username, password));
  const media = [{ kind: 'Sms', address }];
  granted(await own.send('PUT', `/api/v1/users/${id}/media`, { body: { media } }));
  return id;
}

async function withPerson(
  id: number,
  story: (desk: Desk) => Promise<void>,
  options: { size?: Size; refused?: string } = {},
): Promise<void> {
  const desk = await sitDown(browser, plant, options);
  try {
    await desk.signIn(undefined, `/settings/people?id=${id}`);
    await story(desk);
    const { refused } = options;
    expect(desk.faults.filter((fault) => !refused || !fault.includes(`status of ${refused}`))).toEqual([]);
  } finally {
    await desk.close();
  }
}

/** The code in the text message that the phone company has delivered. */
async function receivedCode(address: string): Promise<string> {
  const [message] = await plant.log.until(({ event, to }) => event === 'accepted' && to === address, {
    withinMs: 30_000,
  });
  const [code] = /\d{6}/.exec(message?.text ?? '') ?? [];
  if (code === undefined) throw new Error(`no code in ${message?.text}`);
  return code;
}

const addressesOf = ({ page }: Desk) => page.getByRole('region', { name: 'Confirmed addresses' });
const mediumOf = async (id: number) => (await read<User>(plant.client, `users/${id}`)).media[0];

test.for(sampleOf(['desk', 'phone'] as const, 1))(
  'an address is confirmed with the code that was delivered to it, %s',
  async (size) => {
    const address = size === 'desk' ? '+33611000071' : '+33611000072';
    const id = await hire(`greta.${size}`, address);
    await withPerson(
      id,
      async (desk) => {
        const addresses = addressesOf(desk);
        await addresses.getByText('not confirmed', { exact: true }).waitFor();
        await addresses.getByRole('button', { name: 'Send a code' }).click();
        await addresses.getByText('The code is on its way.').waitFor();
        await addresses.getByLabel(`Code that ${address} has received`).fill(await receivedCode(address));
        await desk.axe();
        await desk.screenshot('confirmation');
        await addresses.getByRole('button', { name: 'Confirm with the code' }).click();
        await addresses.getByText(/^by code/).waitFor();
      },
      { size },
    );
    expect(await mediumOf(id)).toMatchObject({ address, confirmed: { by: 'Code' } });
  },
);

test('another code than the delivered one confirms nothing, and the tries that are left are told', async () => {
  const address = '+33611000073';
  const id = await hire('hans', address);
  await withPerson(
    id,
    async (desk) => {
      const addresses = addressesOf(desk);
      await addresses.getByRole('button', { name: 'Send a code' }).click();
      const code = await receivedCode(address);
      const other = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
      await addresses.getByLabel(`Code that ${address} has received`).fill(other);
      await addresses.getByRole('button', { name: 'Confirm with the code' }).click();
      await addresses.getByText(/4 tries are left/).waitFor();
    },
    { refused: '400' },
  );
  expect((await mediumOf(id))?.confirmed).toBeUndefined();
});
