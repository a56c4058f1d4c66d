import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { zones } from '../testing/zones.ts';

const program = fileURLToPath(new URL('../testing/print-rosters.ts', import.meta.url));
const places = ['UTC', 'America/New_York', 'Australia/Lord_Howe'];

type Printed = { shownHere: string; digests: [zone: string, digest: string][] };
let printed: Printed[] = [];

beforeAll(async () => {
  printed = await Promise.all(places.map(runIn));
}, 60_000);

async function runIn(place: string): Promise<Printed> {
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env: { TZ: place } });
  return JSON.parse(stdout) as Printed;
}

test('servers run in the time zones of New York, Lord Howe and UTC', () => {
  expect(printed.map(({ shownHere }) => shownHere)).toEqual([
    'Wed Jul 01 2026 00:00:00',
    'Tue Jun 30 2026 20:00:00',
    'Wed Jul 01 2026 10:30:00',
  ]);
});

test('they all compute the same rosters in forty zones over ten years', () => {
  const [first, ...others] = printed.map(({ digests }) => digests);
  expect(first?.map(([zone]) => zone)).toEqual([...zones]);
  // Digests differ between zones, so an empty result would be detected.
  expect(new Set(first?.map(([, digest]) => digest)).size).toBeGreaterThan(25);
  for (const other of others) expect(other).toEqual(first);
});
