import { type Api, readAll } from '@tocsin/client';
import type { Alarm } from '@tocsin/contract';
import { type Command, textOf } from '../command/command.ts';
import { CommandError, explainError, wrongUsage } from '../common/command-error.ts';
import { type ExitCode, exitCodes } from '../common/exit-codes.ts';
import { print, printJson } from '../common/print.ts';
import { withServer } from '../connection/connect.ts';
import { connectionOptions } from '../connection/connection-options.ts';

export const ackCommand: Command = {
  name: 'ack',
  purpose: 'acknowledge alarms: somebody takes care of them, and nobody else is called',
  usage: 'ALARM... [OPTIONS]',
  explanation: ['ALARM is the number of an alarm or the path of its tag, as tocsin watch shows them.'],
  options: [
    { name: 'comment', short: 'm', value: 'TEXT', help: 'what is being done, for the timeline' },
    ...connectionOptions,
  ],
  examples: [
    { command: 'ack 4711', effect: 'acknowledges the alarm 4711' },
    {
      command: 'ack North.Pump1.Stopped --comment "On my way"',
      effect: 'acknowledges the alarm of this tag, with a comment',
    },
  ],
  run: async (invocation) => {
    const { values, positionals, surroundings } = invocation;
    if (positionals.length === 0) throw wrongUsage('Name the alarms: tocsin ack ALARM...');
    const comment = textOf(values, 'comment');
    const { stdout, stderr } = surroundings;
    return withServer(invocation, async ({ api }) => {
      let worst: ExitCode = exitCodes.done;
      for (const name of positionals) {
        try {
          const id = await findAlarm(api, name);
          await api.post(`/alarms/${id}/acknowledge`, comment === undefined ? {} : { comment });
          if (values['json'] === true) await printJson(stdout, { id, acknowledged: true });
          else await print(stdout, `${name} is acknowledged.\n`);
        } catch (error) {
          const explained = explainError(error);
          if (!explained) throw error;
          worst = explained.exitCode > worst ? explained.exitCode : worst;
          await print(stderr, `${name}: ${explained.message}\n`);
        }
      }
      return worst;
    });
  },
};

async function findAlarm(api: Api, name: string): Promise<number> {
  if (/^\d+$/.test(name)) return Number(name);
  const alarms = [...(await readAll<Alarm>(api, '/alarms')).values()];
  const found = alarms.filter(({ path, fullPath }) => path === name || fullPath === name);
  const [alarm] = found;
  if (!alarm) throw new CommandError('no current alarm has this path. tocsin watch --once lists the alarms.');
  if (found.length > 1)
    throw new CommandError(
      `several alarms have this path: use a number (${found.map(({ id }) => id).join(', ')}).`,
    );
  return alarm.id;
}
