import type { SpokenAlarm } from '@tocsin/contract';
import { expect } from 'vitest';
import type { Client } from '../../testing/app.fixture.ts';
import { test } from '../../testing/app.fixture.ts';

async function raise(engineer: Client, body: object = {}): Promise<number> {
  const answer = await engineer.post('/alarms', { path: 'P302', alarmMessage: 'Pump 2047 hot', ...body });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<number>();
}

const heard = async (client: Client, id: number, language = 'en') =>
  (await client.get(`/alarms/${id}/spoken?language=${language}`)).json<SpokenAlarm>();

async function addLine(engineer: Client, answerBy: string, priority: number): Promise<void> {
  const settings = { host: 'pbx.example', answerBy };
  const line = { name: `Line ${answerBy}`, kind: 'sip', medium: 'Voice', priority, settings };
  const answer = await engineer.post('/channels', line);
  expect(answer.statusCode, answer.body).toBe(200);
}

test('what people hear is the message, digit by digit, and the keys of the first telephone line', async ({
  client,
}) => {
  const engineer = client('engineer');
  const id = await raise(engineer);
  expect(await heard(client('viewer'), id)).toMatchObject({ answerBy: 'none', language: 'en' });
  await addLine(engineer, 'digit', 2);
  const first = await heard(client('viewer'), id);
  expect(first.answerBy).toBe('digit');
  expect(first.sentences.join(' ')).toMatch(/Tocsin.*Pump 2 0 4 7 hot.*press 1/i);
  await addLine(engineer, 'code', 1);
  const second = await heard(client('viewer'), id);
  expect(second.answerBy).toBe('code');
  expect(second.sentences.join(' ')).toContain('· · · · · ·');
});

test('people hear their own language, and the text of the tenant', async ({ client }) => {
  const engineer = client('engineer');
  const id = await raise(engineer);
  await engineer.put('/message-templates/Voice/fr', { body: '{station}, {name} : {message}' });
  expect((await heard(engineer, id, 'fr')).sentences.join(' ')).toContain('Valmont, P302 : Pump 2 0 4 7 hot');
  expect((await heard(engineer, id, 'de')).sentences.join(' ')).not.toContain('Valmont');
  expect((await engineer.get(`/alarms/${id}/spoken?language=pt`)).statusCode).toBe(400);
});

test('a recording is named, and its text is what is said if it cannot be played', async ({ client }) => {
  const engineer = client('engineer');
  const id = await raise(engineer, { alarmVocalMessageFile: 'pump.wav' });
  expect(await heard(engineer, id)).toMatchObject({ recording: 'pump.wav' });
});

test('those who may not see the station hear nothing of it', async ({ client }) => {
  const id = await raise(client('engineer'));
  const answer = await client('viewer', { stationIds: [99] }).get(`/alarms/${id}/spoken`);
  expect(answer.statusCode).toBe(404);
});
