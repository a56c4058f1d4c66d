import { expect, test } from 'vitest';
import { answerAddress, bounceAddress, isReplyAddress, readReplyAddress } from './reply-address.ts';

const replies = { domain: 'plant.example', key: Buffer.alloc(32, 3) };
const attemptId = '0a1b2c3d4e5f-7-4711';
const asked = { attemptId, code: '482913', recipient: 'Anna@Plant.example' };
const anna = 'anna@plant.example';

const answerTo = (more: Partial<typeof asked> = {}) => answerAddress(replies, { ...asked, ...more }) ?? '';
const bounceTo = (name = attemptId) => bounceAddress(replies, name) ?? '';

test('the address of a reply names the attempt and carries the code', () => {
  expect(answerTo()).toMatch(/^ack\+0a1b2c3d4e5f-7-4711-482913-[0-9a-z]{13}@plant\.example$/);
  const answer = { kind: 'answer', attemptId, code: '482913' };
  expect(readReplyAddress(replies, answerTo(), anna)).toEqual(answer);
  expect(readReplyAddress(replies, answerTo().toUpperCase(), 'ANNA@plant.EXAMPLE')).toEqual(answer);
});

test('an undeliverable mail comes back to an address that names the attempt', () => {
  expect(bounceTo()).toMatch(/^bounce\+0a1b2c3d4e5f-7-4711-[0-9a-z]{13}@plant\.example$/);
  for (const sender of ['', 'mailer-daemon@far.example'])
    expect(readReplyAddress(replies, bounceTo(), sender)).toEqual({ kind: 'bounce', attemptId });
});

test('a forged address names no attempt', () => {
  const forged = [
    answerTo().replace('4711', '4712'),
    answerTo().replace('482913', '482914'),
    answerTo().replace(/.(?=@)/, (last) => (last === 'a' ? 'b' : 'a')),
    answerTo().replace('plant.example', 'evil.example'),
    answerTo().replace('ack+', ''),
    // The address of a bounce goes through many mail servers, so it must not answer a call.
    bounceTo().replace('bounce+', 'ack+'),
    bounceTo().replace(attemptId, `${attemptId}-482913`).replace('bounce+', 'ack+'),
    answerTo().replace('ack+', 'bounce+'),
    bounceTo().replace('4711', '4712'),
    'ack+@plant.example',
    'ack+',
    '',
  ];
  for (const address of forged) expect(readReplyAddress(replies, address, anna)).toBeUndefined();
  const otherKey = { ...replies, key: Buffer.alloc(32, 4) };
  expect(readReplyAddress(otherKey, answerTo(), anna)).toBeUndefined();
});

test('a colleague to whom the mail was forwarded cannot answer for the person called', () => {
  expect(readReplyAddress(replies, answerTo(), 'bert@plant.example')).toBeUndefined();
  expect(readReplyAddress(replies, answerTo(), '')).toBeUndefined();
});

test('the largest numbers fit into an address, and a name that does not fit gives none', () => {
  const largest = `0a1b2c3d4e5f-4294967295-${'9'.repeat(15)}`;
  expect(answerTo({ attemptId: largest }).indexOf('@')).toBeLessThanOrEqual(64);
  expect(bounceTo(largest).indexOf('@')).toBeLessThanOrEqual(64);
  expect(answerTo({ attemptId: `${largest}${'9'.repeat(10)}` })).toBe('');
  expect(bounceTo('a>\r\nX-Evil: 1')).toBe('');
});

test('only addresses of the domain that begin with ack or bounce are ours', () => {
  for (const address of ['ack+x@plant.example', 'BOUNCE+y@Plant.Example'])
    expect(isReplyAddress(replies, address)).toBe(true);
  for (const address of ['ack@plant.example', 'anna@plant.example', 'ack+x@plant.example.evil.example'])
    expect(isReplyAddress(replies, address)).toBe(false);
});
