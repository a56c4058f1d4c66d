import { setTimeout as sleep } from 'node:timers/promises';
import { dropMonths } from '@tocsin/server/testing';
import type { Figure } from '../figure.ts';
import { type CellRun, type HeldRate, raiseStorm } from './cell-run.ts';

const retentionLimitMs = 500;

/** The oldest month is dropped in the middle of a storm; an alarm that was raised in it is still active. */
export async function measureRetention(run: CellRun, { rate }: HeldRate): Promise<Figure[]> {
  const { databaseUrl } = run.cell;
  const { retentionSeconds, months: kept } = run.size;
  const beforeSeconds = Math.min(30, retentionSeconds / 4);
  run.context.progress(`dropping a month of ${kept} during a storm of ${rate} alarms/s`);
  const storm = raiseStorm(run, { seconds: retentionSeconds, rate });
  await sleep(beforeSeconds * 1_000);
  const begun = Date.now();
  const months = await dropMonths(databaseUrl, kept - 1);
  const ended = Date.now();
  const { longestBySecond, startedAt } = await storm;
  const [from, to] = [begun, ended].map((at) => Math.floor((at - startedAt) / 1_000));
  const longest = (seconds: readonly number[]) => Math.max(0, ...seconds);
  const during = longestBySecond.slice(from, (to ?? 0) + 1);
  const apart = [...longestBySecond.slice(0, from), ...longestBySecond.slice((to ?? 0) + 1)];
  const slow = (seconds: readonly number[]) =>
    `${seconds.filter((one) => one > retentionLimitMs).length} of ${seconds.length}`;
  run.context.progress(`longest of each second: ${longestBySecond.map(Math.round).join(' ')} ms`);
  return [
    {
      name: 'longest wait of an alarm in a storm while a month is dropped',
      value: longest(during),
      unit: 'ms',
      goal: { atMost: retentionLimitMs },
      note: `longer than that in ${slow(during)} seconds, and without it, before and after, in ${slow(apart)}, up to ${longest(apart).toFixed(0)} ms; it took ${((ended - begun) / 1_000).toFixed(1)} s`,
    },
    {
      name: 'months dropped, with an alarm active since then',
      value: months.length,
      unit: '',
      goal: { atLeast: 1 },
      note: months.join(', '),
    },
  ];
}
