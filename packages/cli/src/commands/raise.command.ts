import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, ProblemError, readAll } from '@tocsin/client';
import type { RaiseAlarm } from '@tocsin/contract';
import { type Command, type Invocation, textOf, type Values } from '../command/command.ts';
import { suggestion } from '../common/closest-name.ts';
import { CommandError, wrongUsage } from '../common/command-error.ts';
import { exitCodes } from '../common/exit-codes.ts';
import { print, printJson } from '../common/print.ts';
import { withServer } from '../connection/connect.ts';
import { connectionOptions } from '../connection/connection-options.ts';

const defaultRetrySeconds = 30;
const retryEveryMs = 1_000;

export const raiseCommand: Command = {
  name: 'raise',
  purpose: 'raise an alarm, or reset it, and print its number',
  usage: 'PATH [OPTIONS]',
  explanation: [
    'PATH names the tag, such as North.Pump1.Stopped. A tag that does not exist is created.',
    'The command repeats itself while the server cannot be reached; the alarm is raised once.',
  ],
  options: [
    { name: 'message', short: 'm', value: 'TEXT', help: 'text of the alarm' },
    { name: 'priority', short: 'p', value: 'NUMBER', help: 'priority of the alarm; 1 is the most urgent' },
    { name: 'value', value: 'TEXT', help: 'value that the machine reports' },
    {
      name: 'data-server',
      value: 'NAME',
      help: 'data server of the tag, by name or number; by default the first',
    },
    { name: 'station', value: 'NAME', help: 'station of the tag, by name or number' },
    { name: 'tag-group', value: 'NAME', help: 'tag group of the tag, by name or number' },
    { name: 'reset', help: 'reset the alarm: its cause has ended' },
    {
      name: 'retry',
      value: 'SECONDS',
      help: `how long to try while the server cannot be reached; by default ${defaultRetrySeconds}`,
    },
    ...connectionOptions,
  ],
  examples: [
    {
      command: 'raise North.Pump1.Stopped --message "Pump 1 has stopped" --priority 1',
      effect: 'raises an alarm',
    },
    { command: 'raise North.Pump1.Stopped --reset', effect: 'resets it, because the pump runs again' },
  ],
  run: async (invocation) => {
    const { values, positionals, surroundings } = invocation;
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0) throw wrongUsage('Name one tag: tocsin raise PATH.');
    const retryMs = 1_000 * (numberOf(values, 'retry') ?? defaultRetrySeconds);
    const plain = bodyOf(path, values);
    const idempotencyKey = crypto.randomUUID();
    const id = await trying(invocation, retryMs, () =>
      withServer(invocation, async ({ api }) => {
        const body = { ...plain, ...(await namedObjects(api, values)) };
        const { data } = await api.post<number>('/alarms', body, { idempotencyKey });
        return data;
      }),
    );
    if (values['json'] === true) await printJson(surroundings.stdout, { id });
    else await print(surroundings.stdout, `${id}\n`);
    return exitCodes.done;
  },
};

function bodyOf(path: string, values: Values): RaiseAlarm {
  const message = textOf(values, 'message');
  const priority = numberOf(values, 'priority');
  const value = textOf(values, 'value');
  return {
    path,
    raised: values['reset'] !== true,
    ...(message !== undefined && { alarmMessage: message }),
    ...(priority !== undefined && { priority }),
    ...(value !== undefined && { value }),
  };
}

function numberOf(values: Values, name: string): number | undefined {
  const text = textOf(values, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw wrongUsage(`--${name} must be a whole number, not ${text}.`);
  return Number(text);
}

async function namedObjects(api: Api, values: Values): Promise<RaiseAlarm> {
  const found = await Promise.all([
    idOf(api, '/dataservers', textOf(values, 'data-server')),
    idOf(api, '/stations', textOf(values, 'station')),
    idOf(api, '/taggroups', textOf(values, 'tag-group')),
  ]);
  const [dataServerId, stationId, tagGroupId] = found;
  return {
    ...(dataServerId !== undefined && { dataServerId }),
    ...(stationId !== undefined && { stationId }),
    ...(tagGroupId !== undefined && { tagGroupId }),
  };
}

async function idOf(api: Api, path: string, name: string | undefined): Promise<number | undefined> {
  if (name === undefined || /^\d+$/.test(name)) return name === undefined ? undefined : Number(name);
  const items = [...(await readAll<{ id: number; name: string }>(api, path)).values()];
  const found = items.filter((item) => item.name === name);
  if (found.length > 1)
    throw new CommandError(
      `Several have the name "${name}": use a number (${found.map(({ id }) => id).join(', ')}).`,
    );
  const [item] = found;
  if (!item)
    throw new CommandError(
      `Nothing has the name "${name}".${suggestion(
        name,
        items.map((one) => one.name),
      )}`,
    );
  return item.id;
}

/** Tries again while the server is away. The key of the request makes a repetition safe. */
async function trying<Result>(
  { surroundings }: Invocation,
  retryMs: number,
  send: () => Promise<Result>,
): Promise<Result> {
  const { now, stderr } = surroundings;
  const begin = now();
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      const isAway = error instanceof ProblemError && error.isTemporary;
      if (!isAway || now() - begin + retryEveryMs > retryMs) throw error;
      if (tries === 1) stderr.write('The server cannot be reached. Trying again …\n');
      await sleep(retryEveryMs);
    }
  }
}
