import { expect, test } from 'vitest';
import { type ContactMedium, confirmMedium, keepConfirmations } from './confirmation.ts';

const at = new Date('2026-04-29T20:00:00Z');
const later = new Date('2026-04-30T20:00:00Z');
const byCode = { by: 'code', at } as const;
const byAdmin = { by: 'administrator', at: later } as const;
const medium = (
  kind: ContactMedium['kind'],
  address: string,
  confirmed?: ContactMedium['confirmed'],
): ContactMedium => ({ kind, address, enabled: true, confirmed });

test('a new address gets the confirmation of the writer, and one that stays keeps its own', () => {
  const before = [medium('Email', 'a@example.com', byCode)];
  const wanted = [medium('Sms', '070123'), medium('Email', 'a@example.com')];
  expect(keepConfirmations(before, wanted, byAdmin)).toEqual([
    medium('Sms', '070123', byAdmin),
    medium('Email', 'a@example.com', byCode),
  ]);
});

test('saving an unconfirmed address again does not confirm it', () => {
  const before = [medium('Sms', '070123')];
  expect(keepConfirmations(before, before, byAdmin)).toEqual(before);
});

test('a changed address is a new one', () => {
  const before = [medium('Sms', '070123', byCode)];
  expect(keepConfirmations(before, [medium('Sms', '070124')], undefined)).toEqual([medium('Sms', '070124')]);
});

test('a confirmed number is confirmed for calls and for text messages, but not for a pager', () => {
  const before = [medium('Voice', '070123'), medium('Sms', '070123'), medium('Pager', '070123')];
  const after = confirmMedium(before, { kind: 'Sms', address: '070123' }, byCode);
  expect(after.map(({ confirmed }) => confirmed)).toEqual([byCode, byCode, undefined]);
  expect(
    keepConfirmations([medium('Sms', '070123', byCode)], [medium('Voice', '070123')], undefined),
  ).toEqual([medium('Voice', '070123', byCode)]);
});

test('the confirmation of one address confirms no other', () => {
  const before = [medium('Sms', '070123'), medium('Sms', '070124')];
  const after = confirmMedium(before, { kind: 'Sms', address: '070123' }, byCode);
  expect(after.map(({ confirmed }) => confirmed)).toEqual([byCode, undefined]);
});
