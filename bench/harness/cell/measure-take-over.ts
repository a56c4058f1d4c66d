import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../figure.ts';
import { type CellRun, type HeldRate, limitMs, raiseStorm } from './cell-run.ts';
import { windowSeconds } from './storm.ts';

/** One server has all the load and is killed; the other has just started and knows no tenant. */
export async function measureTakeOver(run: CellRun, { rate }: HeldRate): Promise<Figure> {
  const [busy, idle] = run.nodes;
  await idle?.stop();
  run.nodes = [...(busy ? [busy] : []), await run.cell.startNode()];
  const { before, after } = run.size.killSeconds;
  run.context.progress(`killing the server of all tenants after ${before} s at ${rate} alarms/s`);
  const running = raiseStorm(run, { seconds: before + after, rate, route: 'first' });
  await sleep(before * 1_000);
  await busy?.kill();
  const killedAt = Date.now();
  const { p99BySecond, p99ByWindow, startedAt, refused } = await running;
  run.context.progress(`p99 of each second: ${p99BySecond.map((p99) => Math.round(p99)).join(' ')} ms`);
  const killedAfter = (killedAt - startedAt) / 1_000;
  const lastSlow = (values: readonly number[]) =>
    Math.max(0, values.findLastIndex((p99) => p99 >= limitMs) + 1 - killedAfter);
  return {
    name: `p99 of ${windowSeconds} seconds is below ${limitMs} ms again after the kill`,
    value: lastSlow(p99ByWindow),
    unit: 's',
    goal: { atMost: 20 },
    note: `by single seconds, of ${rate} alarms each: ${lastSlow(p99BySecond).toFixed(1)} s; ${refused} answers were not 200`,
  };
}
