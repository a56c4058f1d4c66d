import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { HttpClient } from '../../harness/http/http-client.ts';
import { type Scene, story } from '../../harness/on-call/story.ts';
import { create, granted } from '../../harness/plant.ts';
import { addTenant } from '../../harness/server.ts';

const password = 'a lantern in the turbine hall';

type Technician = { id: number; client: HttpClient };

/** Creates a user without media, who logs in. */
async function addTechnician(scene: Scene, chief: HttpClient, name: string): Promise<Technician> {
  const username = `${name.toLowerCase()}.${randomUUID()}`;
  const id = await create(chief, 'users', { username, name, role: 'operator', password });
  const client = scene.someone();
  granted(await client.logIn(username, password));
  return { id, client };
}

const pathOf = ({ id }: Technician, rest = '') => `/api/v1/users/${id}/media${rest}`;

async function addNumber(who: Technician, address: string): Promise<void> {
  const media = [
    { kind: 'Voice', address },
    { kind: 'Sms', address },
  ];
  granted(await who.client.send('PUT', pathOf(who), { body: { media } }));
}

const askForCode = (who: Technician, address: string) =>
  who.client.post(pathOf(who, '/code'), { kind: 'Sms', address });
const enter = (who: Technician, address: string, code: string) =>
  who.client.post(pathOf(who, '/confirmation'), { kind: 'Sms', address, code });

/** Reads the code from the text message that the phone company was given. */
async function readCode({ log }: Scene, address: string): Promise<string> {
  const [line] = await log.until(
    ({ event, to, text }) => event === 'accepted' && to === address && /code/.test(text),
  );
  const [code] = /\d{6}/.exec(line?.text ?? '') ?? [];
  if (code === undefined) throw new Error(`no code in ${line?.text}`);
  return code;
}

const linesTo = ({ log }: Scene, address: string) =>
  log.lines.filter(({ event, to }) => event === 'accepted' && to === address);
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

story.concurrent(
  'a number that a technician adds is called after the code from its text message was entered',
  async ({ scene }) => {
    const number = '+33611000001';
    await scene.company.script(number, { kind: 'receives' });
    const ada = await addTechnician(scene, scene.client, 'Ada');
    const grace = await scene.hire('Grace');
    await addNumber(ada, number);
    const groupId = await scene.group([], { userIds: [ada.id, grace.id], ackTimeout: 60 });

    const first = await scene.alarm(groupId, { priority: 2 });
    await scene.untilCalled(grace);
    expect(linesTo(scene, number)).toEqual([]);
    await scene.act(first, 'acknowledge');

    granted(await askForCode(ada, number));
    const code = await readCode(scene, number);
    const wrong = await enter(ada, number, other(code));
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('4 tries are left');
    await scene.company.script(number, { kind: 'accepts' });
    expect(granted(await enter(ada, number, code))).toMatchObject({ confirmed: { by: 'Code' } });

    await scene.alarm(groupId, { priority: 2 });
    await scene.log.until(
      ({ event, to, folder }) => event === 'accepted' && to === number && folder === 'calls',
    );
  },
);

story.concurrent(
  'the code of somebody else confirms nothing, neither in the plant nor in another tenant',
  async ({ scene }) => {
    const number = '+33611000002';
    await scene.company.script(number, { kind: 'receives' });
    const tenant = { name: `Neighbour ${randomUUID()}`, admin: `chief.${randomUUID()}`, password };
    await addTenant(scene.databaseUrl, tenant);
    const chief = scene.someone();
    granted(await chief.logIn(tenant.admin, password));
    const ada = await addTechnician(scene, scene.client, 'Ada');
    const others = [
      await addTechnician(scene, scene.client, 'Bob'),
      await addTechnician(scene, chief, 'Carl'),
    ];
    for (const who of [ada, ...others]) await addNumber(who, number);
    granted(await askForCode(ada, number));
    const code = await readCode(scene, number);
    for (const who of others) {
      expect((await enter(who, number, code)).status).toBe(400);
      const theirs = await who.client.post(pathOf(ada, '/confirmation'), {
        kind: 'Sms',
        address: number,
        code,
      });
      expect([403, 404]).toContain(theirs.status);
      const { media } = granted<{ media: object[] }>(await who.client.get(pathOf(who)));
      for (const medium of media) expect(medium).not.toHaveProperty('confirmed');
    }
    granted(await enter(ada, number, code));
  },
);

story.concurrent(
  'for priority 1 an unconfirmed number is called when nobody else is left, and an alarm says so',
  async ({ scene }) => {
    const number = '+33611000003';
    const ada = await addTechnician(scene, scene.client, 'Ada');
    await addNumber(ada, number);
    const groupId = await scene.group([], { userIds: [ada.id] });
    const quiet = await scene.alarm(groupId, { priority: 2 });
    await sleep(6_000);
    expect(linesTo(scene, number)).toEqual([]);
    await scene.act(quiet, 'acknowledge');
    await scene.alarm(groupId, { priority: 1 });
    await scene.log.until(({ event, to }) => event === 'accepted' && to === number);
    const kinds = (await scene.timeline(quiet)).flatMap(({ notice }) => notice?.kind ?? []);
    expect(kinds).toContain('unconfirmed');
  },
);
