import type { MessageTemplate } from '@tocsin/contract';
import { type TemplateValues, templatePlaceholders } from '@tocsin/domain';
import fc from 'fast-check';
import { expect, test as plain } from 'vitest';
import { test } from '../../testing/app.fixture.ts';
import { composeEmail } from '../mail/email-message.ts';
import { messageTo } from '../testing/messages.fixture.ts';
import { fill } from './templated-text.ts';

type List = { items: MessageTemplate[]; placeholders: string[] };

test('a tenant has one template per medium and language, and lists, replaces and deletes them', async ({
  client,
}) => {
  const engineer = client('engineer');
  const saved = await engineer.put('/message-templates/Sms/fr', { body: 'Alarme {station} : {message}' });
  expect(saved.json()).toEqual({
    medium: 'Sms',
    language: 'fr',
    subject: '',
    body: 'Alarme {station} : {message}',
    lastChange: '2026-03-01T06:00:00',
  });
  await engineer.put('/message-templates/Email/fr', { subject: '{station}', body: '{message}' });
  await engineer.put('/message-templates/Sms/fr', { body: '{message}' });
  const list = async () => (await engineer.get('/message-templates')).json<List>();
  expect((await list()).items.map(({ medium, body }) => [medium, body])).toEqual([
    ['Email', '{message}'],
    ['Sms', '{message}'],
  ]);
  expect((await list()).placeholders).toEqual([...templatePlaceholders]);
  expect((await engineer.delete('/message-templates/Sms/fr')).statusCode).toBe(204);
  expect((await engineer.delete('/message-templates/Sms/fr')).statusCode).toBe(404);
  expect((await list()).items).toHaveLength(1);
});

test('another tenant has templates of its own', async ({ client }) => {
  await client('engineer').put('/message-templates/Sms/fr', { body: '{message}' });
  const other = client('engineer', { tenantId: 2 });
  expect((await other.get('/message-templates')).json<List>().items).toEqual([]);
});

test.for([
  ['/message-templates/Sms/en', { body: 'At {colour}: {message} {Colour}' }, '/body', '{colour} {Colour}'],
  ['/message-templates/Email/en', { subject: '{who}', body: '{message}' }, '/subject', '{who}'],
  ['/message-templates/Email/en', { body: '' }, '/body', ''],
  ['/message-templates/Email/en', { body: 'x'.repeat(4_001) }, '/body', ''],
] as const)('%s with %j is refused, with the reason', async ([path, body, pointer, named], { client }) => {
  const answer = await client('engineer').put(path, body);
  expect(answer.statusCode).toBe(400);
  expect(answer.body).toContain(pointer);
  expect(answer.body).toContain(named);
  expect((await client('engineer').get('/message-templates')).json<List>().items).toEqual([]);
});

test.for(['Pager/en', 'Sms/pt', 'sms/en', 'Sms/EN'])('there is no template %s', async (name, { client }) => {
  const answer = await client('engineer').put(`/message-templates/${name}`, { body: '{message}' });
  expect(answer.statusCode).toBe(404);
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '<break time="9s"/>',
    '\r\nBcc: all@plant.example',
    '<script>alert(1)</script>',
    '{person}',
    '\u202e\u0000',
    '&lt;b&gt;',
  ),
);
const anyValues = fc.record(
  Object.fromEntries(templatePlaceholders.map((name) => [name, hostile])),
) as fc.Arbitrary<TemplateValues>;
const everything = templatePlaceholders.map((name) => `{${name}}`).join(' ');
const written = (medium: 'Voice' | 'Sms' | 'Email' | 'Push' | 'Webhook', values: TemplateValues) =>
  fill({ medium, subject: everything, body: everything }, values);

plain('speech holds no markup, and is one line', () => {
  fc.assert(
    fc.property(anyValues, (values) => {
      expect(written('Voice', values).text).not.toMatch(/[<>&\n\r\p{Cc}]/u);
    }),
  );
});

plain('no text has control characters or changes of direction, and no subject has a second line', () => {
  fc.assert(
    fc.property(anyValues, fc.constantFrom('Sms', 'Email', 'Push', 'Webhook'), (values, medium) => {
      const { subject, text } = written(medium, values);
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(text.isWellFormed() && subject.isWellFormed()).toBe(true);
      expect(Array.from(subject).length).toBeLessThanOrEqual(200);
    }),
  );
});

plain('no value becomes a header or an element of a mail', () => {
  fc.assert(
    fc.property(anyValues, (values) => {
      const { subject, text } = written('Email', values);
      const email = composeEmail(messageTo('anna@plant.example', { subject, text }), {
        address: 'alarm@plant.example',
        name: 'Tocsin',
        replies: undefined,
      });
      expect(email.subject).not.toMatch(/[\r\n]/);
      expect(email.html).not.toMatch(/<(script|break)\b/i);
    }),
  );
});

plain('a template is filled as it is written, in any medium', () => {
  const values = Object.fromEntries(templatePlaceholders.map((name) => [name, name])) as TemplateValues;
  for (const medium of ['Voice', 'Sms', 'Email', 'Push', 'Webhook'] as const)
    expect(written(medium, values).text).toBe(templatePlaceholders.join(' '));
  expect(fill({ medium: 'Sms', subject: '', body: 'a\nb {name}' }, values)).toEqual({
    subject: '',
    text: 'a\nb name',
  });
});
