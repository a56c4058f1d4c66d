import type { Figure } from '../figure.ts';
import { type CellRun, raiseStorm } from './cell-run.ts';

/** Single alarms of any tenants: one a second, and then one after each pause. Plants are quiet for most of the time. */
export async function measureQuiet(run: CellRun): Promise<Figure[]> {
  const [alarms, pauseSeconds] = run.context.smoke ? [2, 1] : [8, 12];
  run.context.progress(`${alarms} alarms, one a second, and then one every ${pauseSeconds} s`);
  const brisk = await raiseStorm(run, { seconds: alarms, rate: 1, clients: 1 });
  const quiet = await raiseStorm(run, { seconds: alarms * pauseSeconds, rate: 1 / pauseSeconds, clients: 1 });
  const note = `median of ${quiet.answered.length}`;
  return [
    { name: 'an alarm, one a second', value: brisk.p50, unit: 'ms', note },
    { name: `an alarm after ${pauseSeconds} s without any`, value: quiet.p50, unit: 'ms', note },
  ];
}
