import { setTimeout as sleep } from 'node:timers/promises';
import type { Surroundings } from '../../command/command.ts';
import { CommandError } from '../../common/command-error.ts';
import { print, printJson } from '../../common/print.ts';
import { openDemoFolder } from '../folder/demo-folder.ts';
import { noProgress, showProgress } from '../screen/progress.ts';
import { readKeys } from '../screen/read-keys.ts';
import { startScreen } from '../screen/start-screen.ts';
import { type Demo, type DemoPorts, openDemo } from './open-demo.ts';
import { pressKey } from './press-key.ts';

export type DemoOptions = {
  readonly folder: string;
  readonly ports: DemoPorts;
  readonly seed: number;
  readonly isJson: boolean;
};

/** Runs the demo until somebody ends it. */
export async function runDemo(surroundings: Surroundings, options: DemoOptions): Promise<void> {
  const { stdout, stderr } = surroundings;
  const { isJson, ports, seed } = options;
  const folder = openDemoFolder(options.folder);
  const tasks: (() => Promise<unknown>)[] = [async () => folder.release()];
  const atEnd = (task: () => Promise<unknown>) => void tasks.push(task);
  const stopped = surroundings.untilStopped();
  if (!isJson)
    await print(stdout, '\nTocsin demo: a waterworks and its telephones, on this machine only.\n\n');
  try {
    const progress = isJson ? noProgress : showProgress(surroundings);
    const onFailure = failureTeller(stderr);
    const demo = await openDemo(surroundings, { folder, ports, seed, progress, atEnd, onFailure });
    await welcome(demo, surroundings, isJson);
    const reason = await untilEnd(demo, surroundings, stopped);
    if (reason !== undefined) throw new CommandError(`${reason} has ended. Its log is in ${folder.path}.`);
    if (!isJson) await print(stdout, `Ending. The data stays in ${folder.path}.\n`);
  } finally {
    for (const task of tasks.toReversed()) await task();
  }
}

async function welcome(
  { addresses }: Demo,
  { stdout, stdin, environment }: Surroundings,
  isJson: boolean,
): Promise<void> {
  if (isJson) return printJson(stdout, addresses);
  const hasColour = stdout.isTTY === true && !environment['NO_COLOR'];
  await print(stdout, startScreen(addresses, { hasColour, hasKeys: stdin.isTTY === true }));
}

/** Resolves when somebody ends the demo, or with the name of a part that has ended by itself. */
async function untilEnd(
  demo: Demo,
  { stdin, stdout }: Surroundings,
  stopped: AbortSignal,
): Promise<string | undefined> {
  const end = new AbortController();
  const stopReading = readKeys(stdin, (key) => {
    if (key === 'q') return end.abort();
    const told = pressKey(demo, key);
    if (told !== undefined) stdout.write(`  ${told}\n`);
  });
  const anyEnd = AbortSignal.any([end.signal, stopped]);
  const forever = sleep(2 ** 31 - 1, undefined, { signal: anyEnd }).catch(() => undefined);
  try {
    return await Promise.race([forever, demo.broken]);
  } finally {
    stopReading();
    end.abort();
  }
}

/** The plant goes on after a request that failed. The same failure is told once, not each time. */
function failureTeller(stderr: NodeJS.WritableStream): (error: unknown) => void {
  let last = '';
  return (error) => {
    const text = error instanceof Error ? error.message : String(error);
    if (text !== last) stderr.write(`  The plant could not report an event: ${text}\n`);
    last = text;
  };
}
