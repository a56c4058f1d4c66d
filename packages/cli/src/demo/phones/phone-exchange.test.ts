import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withPhones } from '../waterworks/people.ts';
import { PhoneExchange } from './phone-exchange.ts';
import { act, answerServer } from './phone-routes.ts';

let reports: string[];
let exchange: PhoneExchange;
const [anna, ben] = withPhones.map(({ number }) => number) as [string, string];

beforeEach(() => {
  vi.useFakeTimers();
  reports = [];
  exchange = new PhoneExchange({
    people: withPhones,
    now: () => Date.now(),
    report: (_order, { event = '', digits }) =>
      void reports.push(digits === undefined ? event : `${event} ${digits}`),
  });
});
afterEach(() => {
  exchange.close();
  vi.useRealTimers();
});

const order = (attemptId: string, to = anna) => ({
  attemptId,
  to,
  text: 'P302 tripped',
  prompt: 'To take the alarm, press 4 8 2 9 1 3.',
  language: 'en',
  code: '482913',
  callbackUrl: 'http://127.0.0.1:1/back',
});
const place = (attemptId: string, to?: string) =>
  answerServer(exchange, { method: 'POST', path: '/calls', body: JSON.stringify(order(attemptId, to)) });
const stateOf = (attemptId: string) =>
  answerServer(exchange, { method: 'GET', path: `/attempts/${attemptId}`, body: '' })?.body;
const pastOf = (number: string) => exchange.view().find((phone) => phone.number === number)?.past;

test('a telephone rings until its person picks up and presses the code', () => {
  expect(place('a')).toMatchObject({ status: 201, body: { status: 'queued' } });
  expect(exchange.view()[0]).toMatchObject({ call: { status: 'ringing', text: 'P302 tripped' } });
  vi.advanceTimersByTime(20_000);
  expect(reports).toEqual(['ringing', 'answered', 'digits 482913', 'ended']);
  expect(stateOf('a')).toMatchObject({ status: 'acknowledged', digits: '482913', isOver: true });
  expect(pastOf(anna)).toMatchObject([{ outcome: 'taken' }]);
});

test('a visitor picks up and takes the alarm, or only confirms the call', () => {
  place('a');
  act(exchange, `/phones/${anna}/answer`, '');
  act(exchange, `/phones/${anna}/keys`, '482913');
  vi.advanceTimersByTime(2_000);
  place('b');
  act(exchange, `/phones/${anna}/answer`, '');
  act(exchange, `/phones/${anna}/keys`, '4829132');
  vi.advanceTimersByTime(2_000);
  expect(reports).toEqual([
    'ringing',
    'answered',
    'digits 482913',
    'ended',
    'ringing',
    'answered',
    'digits 4829132',
    'ended',
  ]);
  expect(pastOf(anna)).toMatchObject([{ outcome: 'confirmed' }, { outcome: 'taken' }]);
});

test('the telephone of the visitor is not answered for them while a page is open', () => {
  exchange.handOver(true);
  place('a');
  place('b', ben);
  vi.advanceTimersByTime(30_000);
  expect(pastOf(anna)).toMatchObject([{ outcome: 'noAnswer' }]);
  expect(pastOf(ben)).toMatchObject([{ outcome: 'taken' }]);
});

test('if nobody answers, it rings a little less than the call group waits', () => {
  exchange.nobodyAnswers = true;
  place('a', ben);
  vi.advanceTimersByTime(17_000);
  expect(reports).toEqual(['ringing']);
  vi.advanceTimersByTime(2_000);
  expect(reports).toEqual(['ringing', 'noAnswer']);
  expect(stateOf('a')).toMatchObject({ status: 'noAnswer', isOver: true });
});

test('a call that the server hangs up stops ringing, and nothing is reported about it', () => {
  place('a');
  answerServer(exchange, { method: 'POST', path: '/attempts/a/hangup', body: '' });
  vi.advanceTimersByTime(60_000);
  expect(reports).toEqual(['ringing']);
  expect(pastOf(anna)).toMatchObject([{ outcome: 'cancelled' }]);
});

test('a refused call is reported at once, a second call to the same telephone finds it busy', () => {
  place('a');
  place('b');
  act(exchange, `/phones/${anna}/refuse`, '');
  expect(reports).toEqual(['ringing', 'busy', 'refused']);
});

test('the same order again is the same call, and an unknown one is none', () => {
  expect(place('a')?.body).toEqual(place('a')?.body);
  expect(reports).toEqual(['ringing']);
  expect(stateOf('b')).toEqual({ error: 'no such attempt' });
});

test.for(['dial', 'keys'])('an action %s without sense is refused', (action) => {
  expect(act(exchange, `/phones/${anna}/${action}`, 'x')).toBe(false);
});
