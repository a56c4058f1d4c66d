import { ProblemError } from '@tocsin/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { createSharedDesk } from './shared-desk.ts';

const refusal = new ProblemError({
  status: 403,
  code: 'not-allowed',
  title: 'The token does not permit this',
});
const session = { accessToken: async () => 'token of the desk' };
const ada = {
  access_token: 'token of Ada',
  token_type: 'bearer',
  expires_in: 60,
  id: '7',
  name: 'Ada',
} as const;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

test('an acknowledgment at a desk where nobody acts waits for somebody, and is sent with their token', async () => {
  const desk = createSharedDesk(session);
  desk.name('Control room 1');
  const repeated = desk.onRefused(refusal, 'POST');
  expect(desk.getSnapshot().isAsking).toBe(true);
  desk.begin(ada);
  expect(await repeated).toBe(true);
  expect(await desk.accessToken()).toBe('token of Ada');
  expect(desk.getSnapshot().actor).toMatchObject({ id: 7, name: 'Ada' });
  desk.leave();
  expect(await desk.accessToken()).toBe('token of the desk');
});

test('reading asks nobody, nor does a browser that is no shared desk', async () => {
  const desk = createSharedDesk(session);
  expect(await desk.onRefused(refusal, 'POST')).toBe(false);
  desk.name('Control room 1');
  expect(await desk.onRefused(refusal, 'GET')).toBe(false);
  expect(desk.getSnapshot().isAsking).toBe(false);
});

test('a wrong PIN, which is a refusal too, does not ask a second time', async () => {
  const desk = createSharedDesk(session);
  desk.name('Control room 1');
  const waiting = desk.onRefused(refusal, 'POST');
  expect(await desk.onRefused(refusal, 'POST')).toBe(false);
  desk.leave();
  expect(await waiting).toBe(false);
});

test('whoever acts stays; whoever does not is signed out', async () => {
  vi.useFakeTimers();
  const desk = createSharedDesk(session);
  desk.name('Control room 1');
  desk.begin(ada);
  vi.advanceTimersByTime(50_000);
  desk.onChanged();
  vi.advanceTimersByTime(50_000);
  expect(desk.getSnapshot().actor?.name).toBe('Ada');
  vi.advanceTimersByTime(11_000);
  expect(desk.getSnapshot().actor).toBeUndefined();
  vi.useRealTimers();
});

test('a person whom the server has signed out is forgotten, and the desk goes on', async () => {
  const desk = createSharedDesk(session);
  desk.name('Control room 1');
  desk.begin(ada);
  expect(await desk.accessToken('token of Ada')).toBe('token of the desk');
  expect(desk.getSnapshot().actor).toBeUndefined();
});

test('a browser stays a shared desk after a reload, until its session ends', () => {
  createSharedDesk(session).name('Control room 1');
  const again = createSharedDesk(session);
  expect(again.getSnapshot().name).toBe('Control room 1');
  again.name(undefined);
  expect(createSharedDesk(session).getSnapshot().name).toBeUndefined();
});
