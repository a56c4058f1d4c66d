/**
 * Subscribers of which some note when each alarm came, and whether it was the next one; the others count bytes, since to
 * read all alarms of a thousand would take a core that the server needs. Runs in a process of its own.
 */
import { LeanSocket } from '../../../acceptance/harness/hub/lean-socket.ts';
import type { SubscribersCommand, SubscribersReport } from './subscribers.ts';

const idMark = Buffer.from('"arguments":[{"id":');
const valueMark = Buffer.from('"value":"');
/** Bytes. Where marks were last found: of the first alarm in a message, of the next one, of a value in its alarm. */
const places = { first: 0, alarm: 500, value: 100 };
/** Bytes by which an alarm may be shorter than the one before. */
const slack = 60;
const minAlarmBytes = 400;
/** Tenths of a millisecond; the last one holds all that took longer. */
const delays = new Uint32Array(100_001);

let joined = 0;
let delivered = 0;
const faults: string[] = [];
const last: number[] = [];
const bytes: number[] = [];

process.once('disconnect', () => process.exit());
process.on(
  'message',
  (command: SubscribersCommand) => void handle(command).then(() => process.send?.(report())),
);

async function handle(command: SubscribersCommand): Promise<void> {
  if (command.kind === 'reset') {
    delays.fill(0);
    delivered = 0;
  }
  if (command.kind !== 'open') return;
  for (let index = 0; index < command.subscribers; index++) {
    subscribe(command, index);
    await untilJoined(index - 20);
  }
  await untilJoined(command.subscribers);
}

async function untilJoined(wanted: number): Promise<void> {
  for (;;) {
    if (joined >= wanted) return;
    await pause(2);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Opening = Extract<SubscribersCommand, { kind: 'open' }>;

function subscribe({ port, token, subscribers, timed }: Opening, index: number): void {
  let isJoined = false;
  bytes[index] = 0;
  const isTimed = index % Math.ceil(subscribers / timed) === 0;
  const onMessage = (payload: Buffer) => {
    if (!isJoined) {
      isJoined = true;
      joined += 1;
    }
    if (payload.length >= minAlarmBytes) bytes[index] = (bytes[index] ?? 0) + payload.length;
    if (isTimed) take(payload, index);
  };
  const onEnd = (status: number) => faults.push(`subscriber ${index} lost its connection (${status})`);
  const socket = new LeanSocket(port, `/alarmHub?access_token=${token}`, { onMessage, onEnd }, () =>
    socket.send('{"protocol":"json","version":1}\u001e'),
  );
}

/** Tags are new and numbered as they are committed: the next alarm has the next number. */
function take(payload: Buffer, index: number): void {
  const now = performance.timeOrigin + performance.now();
  const first = find(payload, idMark, places.first);
  if (first >= 0) places.first = first;
  for (let at = first; at >= 0; at = nextAlarm(payload, at)) {
    const id = readNumber(payload, at + idMark.length);
    const before = last[index];
    if (before !== undefined && id !== before + 1)
      faults.push(`subscriber ${index}: after ${before} came ${id}`);
    last[index] = id;
    const valueAt = find(payload, valueMark, at + places.value);
    places.value = valueAt - at;
    const sentAt = readNumber(payload, valueAt + valueMark.length) / 10;
    const tenths = Math.max(0, Math.min(delays.length - 1, Math.round((now - sentAt) * 10)));
    delays[tenths] = (delays[tenths] ?? 0) + 1;
    delivered += 1;
  }
}

function nextAlarm(payload: Buffer, at: number): number {
  if (at + minAlarmBytes > payload.length) return -1;
  const next = find(payload, idMark, at + places.alarm);
  if (next >= 0) places.alarm = next - at;
  return next;
}

/** The mark where it is expected, which is cheap to see, or from the beginning of what may hold it. */
function find(payload: Buffer, mark: Buffer, expected: number): number {
  for (let index = 0; index < mark.length; index++)
    if (payload[expected + index] !== mark[index])
      return payload.indexOf(mark, Math.max(0, expected - slack));
  return expected;
}

function readNumber(payload: Buffer, start: number): number {
  let number = 0;
  for (let index = start; ; index++) {
    const digit = (payload[index] ?? 0) - 48;
    if (digit < 0 || digit > 9) return number;
    number = number * 10 + digit;
  }
}

function report(): SubscribersReport {
  return {
    delivered,
    p50: quantile(0.5),
    p99: quantile(0.99),
    minBytes: Math.min(...bytes),
    maxBytes: Math.max(...bytes),
    lowest: Math.min(...Object.values(last)),
    highest: Math.max(...Object.values(last)),
    faults: faults.slice(0, 10),
  };
}

/** In milliseconds. */
function quantile(share: number): number {
  let left = delivered * share;
  for (const [tenths, count] of delays.entries()) {
    left -= count;
    if (left <= 0) return tenths / 10;
  }
  return delays.length / 10;
}
