import { test as base, expect } from 'vitest';
import { contextFor, messageTo, soon } from '../testing/messages.fixture.ts';
import { type Receiver, startReceiver } from '../testing/receiver.fixture.ts';
import { chatKind } from './chat.channel.ts';

const token = '123456:AAE-bot_token-of-the-plant';

const test = base
  .extend('started', () => startReceiver())
  .extend('chat', ({ started }, { onCleanup }) => {
    onCleanup(started.close);
    return started;
  })
  .extend('open', ({ chat }, { onCleanup }) => {
    const ends: (() => void)[] = [];
    onCleanup(() => {
      for (const end of ends) end();
    });
    return (settings: object, context = contextFor('Webhook')) => {
      const channel = chatKind.create({ server: chat.url, ...settings }, context);
      ends.push(() => void channel.close?.());
      return channel;
    };
  });

const nasty = '<!channel> & <https://evil.example|click> [x](https://evil.example) *b* _i_ "q"';
const bodyOf = (chat: Receiver): unknown => JSON.parse(chat.seen[0]?.body ?? '');

test('Teams shows a card with title, text and a button, and no markup of an alarm', async ({
  chat,
  open,
}) => {
  const message = messageTo(`${chat.url}/workflows/1`, { text: nasty });
  const outcome = await open({ chat: 'teams' }).place(message, soon());
  expect(outcome).toEqual({ kind: 'delivered', reference: message.attemptId });
  expect(bodyOf(chat)).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          body: [
            { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: 'Pump 3 fails' }] },
            { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: nasty }] },
          ],
          actions: [{ type: 'Action.OpenUrl', url: message.answer?.link }],
        },
      },
    ],
  });
});

test('Slack shows the text with its three special characters escaped, and the link', async ({
  chat,
  open,
}) => {
  const alarms = [1, 2].map((id) => ({
    id,
    attemptId: `a${id}`,
    priority: 1,
    message: `Pump <${id}>`,
    audio: '',
  }));
  const message = messageTo(`${chat.url}/services/T/B/x`, {
    text: nasty,
    subject: nasty,
    alarms,
    alarmCount: 3,
  });
  expect(await open({ chat: 'slack' }).place(message, soon())).toMatchObject({ kind: 'delivered' });
  const escaped = nasty.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const text = `${escaped}\n\n- Pump &lt;1&gt;\n- Pump &lt;2&gt;\n- and 1 more`;
  expect(bodyOf(chat)).toEqual({
    text: escaped,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: escaped } },
      { type: 'section', text: { type: 'plain_text', text } },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: '<https://tocsin.plant.example/answer?token=a.b&amp;c=d|To take all 3 alarms, or to confirm only that you got this:>',
        },
      },
    ],
  });
});

test('a long text stays within the limits of Slack and Telegram', async ({ chat, open }) => {
  for (const one of ['&', 'x', '🌊']) {
    const more = { text: one.repeat(9_000), subject: one.repeat(9_000) };
    await open({ chat: 'slack' }).place(messageTo(chat.url, more), soon());
    await open({ chat: 'telegram', token }).place(messageTo('42', more), soon());
    const [first, second] = chat.seen.splice(0);
    const slack = JSON.parse(first?.body ?? '') as { blocks: { text: { text: string } }[] };
    const telegram = JSON.parse(second?.body ?? '') as { text: string };
    const [title, text] = slack.blocks.map((block) => block.text.text);
    expect(title?.length).toBeLessThanOrEqual(150);
    expect(text?.length).toBeLessThanOrEqual(3_000);
    expect(text).toMatch(one === '&' ? /^(?:&amp;)+…$/ : /…$/);
    expect(text?.isWellFormed()).toBe(true);
    expect(telegram.text.length).toBeLessThanOrEqual(4_096);
    expect(telegram.text).toContain('https://tocsin.plant.example/answer');
  }
});

test('Telegram gets plain text for the chat of the person, from the bot of the plant', async ({
  chat,
  open,
}) => {
  chat.does((response) => response.end('{"ok":true,"result":{"message_id":77}}'));
  const message = messageTo('-1001234567', { text: nasty });
  const outcome = await open({ chat: 'telegram', token }).place(message, soon());
  expect(outcome).toEqual({ kind: 'delivered', reference: '77' });
  expect(chat.seen[0]?.path).toBe(`/bot${token}/sendMessage`);
  expect(bodyOf(chat)).toEqual({
    chat_id: '-1001234567',
    text: `Pump 3 fails\n\n${nasty}\n\nTo take the alarm, or to confirm only that you got this:\n${message.answer?.link}`,
    link_preview_options: { is_disabled: true },
  });
});

const throttled = (retryAfterSeconds: number) => ({ kind: 'notNow', retryAfterSeconds });
const gone = { kind: 'failed', permanent: true, blame: 'recipient' };
const broken = { kind: 'failed', permanent: false, blame: 'channel' };

test.for([
  ['slack', 429, '', { 'retry-after': '30' }, throttled(30)],
  ['slack', 404, 'no_service', {}, gone],
  ['slack', 410, 'channel_is_archived', {}, gone],
  ['slack', 403, 'action_prohibited', {}, broken],
  ['slack', 500, '', {}, broken],
  ['teams', 429, '', {}, throttled(10)],
  ['teams', 202, '', {}, { kind: 'delivered' }],
  ['teams', 200, '1', {}, { kind: 'delivered' }],
  [
    'teams',
    200,
    'Webhook message delivery failed with error: ... HTTP error 429 with ...',
    {},
    throttled(10),
  ],
  ['teams', 200, 'failed with error: Microsoft Teams endpoint returned HTTP error 503', {}, broken],
  ['telegram', 429, '{"ok":false,"parameters":{"retry_after":5}}', {}, throttled(5)],
  ['telegram', 400, '{"ok":false,"description":"Bad Request: chat not found"}', {}, gone],
  ['telegram', 400, '{"ok":false,"description":"Bad Request: text is empty"}', {}, broken],
  ['telegram', 403, '{"ok":false,"description":"Forbidden: bot was blocked by the user"}', {}, gone],
  ['telegram', 401, '{"ok":false}', {}, broken],
  ['telegram', 404, 'not JSON', {}, broken],
  ['telegram', 502, '<html>', {}, broken],
] as const)('%s answers %i "%s": %o', async ([kind, status, text, headers, outcome], { chat, open }) => {
  chat.does((response) => response.writeHead(status, headers).end(text));
  const address = kind === 'telegram' ? '42' : `${chat.url}/hook`;
  expect(await open({ chat: kind, token }).place(messageTo(address), soon())).toMatchObject(outcome);
});

test.for([
  ['telegram', 'anna'],
  ['telegram', '42/../../x'],
  ['telegram', 'https://evil.example/'],
  ['slack', 'anna'],
  ['teams', 'file:///etc/passwd'],
  ['teams', 'https://'],
] as const)('%s cannot send to "%s", and does not try again', async ([kind, address], { chat, open }) => {
  expect(await open({ chat: kind, token }).place(messageTo(address), soon())).toMatchObject(gone);
  expect(chat.seen).toEqual([]);
});

test('Telegram without a bot, or with an unknown one, is reported by the check', async ({ chat, open }) => {
  const withoutToken = open({ chat: 'telegram' });
  expect(await withoutToken.check(soon())).toEqual({
    works: false,
    reason: 'Telegram needs the token of a bot',
  });
  expect(await withoutToken.place(messageTo('42'), soon())).toMatchObject(broken);
  expect(chat.seen).toEqual([]);
  const bot = open({ chat: 'telegram', token });
  expect(await bot.check(soon())).toEqual({ works: true });
  expect(chat.seen[0]?.path).toBe(`/bot${token}/getMe`);
  chat.does((response) => response.writeHead(401).end());
  expect(await bot.check(soon())).toEqual({ works: false, reason: 'Telegram does not know the bot' });
  expect(await open({ chat: 'slack' }).check(soon())).toEqual({ works: true });
});

test('a chat server inside the machine is not reached unless the installation allows it', async ({
  chat,
  open,
}) => {
  const guarded = open({ chat: 'slack' }, contextFor('Webhook', { allow: [] }));
  const outcome = await guarded.place(messageTo(chat.url), soon());
  expect(outcome).toMatchObject({ ...broken, reason: expect.stringContaining('EGRESS_ALLOW') });
  expect(chat.seen).toEqual([]);
});
