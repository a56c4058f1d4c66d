import { type LiveState, readAll } from '@tocsin/client';
import type { Alarm, Meta } from '@tocsin/contract';
import type { Command, Invocation } from '../command/command.ts';
import { wrongUsage } from '../common/command-error.ts';
import { exitCodes } from '../common/exit-codes.ts';
import { print } from '../common/print.ts';
import { type Connection, withServer } from '../connection/connect.ts';
import { connectionOptions } from '../connection/connection-options.ts';
import { alarmLine, sortAlarms } from '../watch/alarm-text.ts';
import { type Follower, followAlarms } from '../watch/follow-alarms.ts';
import { drawScreen, enterScreen, leaveScreen } from '../watch/screen.ts';

export const watchCommand: Command = {
  name: 'watch',
  purpose: 'show the current alarms and their changes, live',
  usage: '[OPTIONS]',
  explanation: [
    'On a terminal it shows a list that is kept up to date; elsewhere it prints a line for each alarm and each change.',
    'It reconnects by itself, and tells while the list may be old. Ctrl+C ends it.',
  ],
  options: [
    { name: 'once', help: 'print the current alarms, and end' },
    { name: 'lines', help: 'print lines on a terminal too' },
    ...connectionOptions,
  ],
  examples: [
    { command: 'watch', effect: 'shows the alarms until Ctrl+C' },
    { command: 'watch --json | tee -a alarms.ndjson', effect: 'records each change as a line of JSON' },
  ],
  run: async (invocation) => {
    if (invocation.positionals.length > 0) throw wrongUsage('tocsin watch takes options only.');
    return withServer(invocation, async (connection) => {
      const { data: meta } = await connection.api.get<Meta>('/meta');
      await (invocation.values['once'] === true
        ? listOnce(invocation, connection, meta)
        : follow(invocation, connection, meta));
      return exitCodes.done;
    });
  },
};

const urgencyOf = ({ priorities }: Meta) =>
  priorities.toSorted((one, other) => one.order - other.order).map(({ code }) => code);

/** One line for an alarm: JSON for programs, text for people. */
function lineOf({ values, surroundings }: Invocation, kind: string, alarm: Alarm, seq?: number): string {
  const isJson = values['json'] === true;
  const text = isJson ? JSON.stringify({ kind, seq, alarm }) : alarmLine(kind, alarm, surroundings.now());
  return `${text}\n`;
}

async function listOnce(invocation: Invocation, { api }: Connection, meta: Meta): Promise<void> {
  const alarms = await readAll<Alarm>(api, '/alarms');
  const lines = sortAlarms(alarms.values(), urgencyOf(meta)).map((alarm) =>
    lineOf(invocation, 'current', alarm),
  );
  await print(invocation.surroundings.stdout, lines.join(''));
}

async function follow(invocation: Invocation, connection: Connection, meta: Meta): Promise<void> {
  const { values, surroundings } = invocation;
  const { stdout, now } = surroundings;
  const signal = surroundings.untilStopped();
  const hasScreen = stdout.isTTY === true && values['json'] !== true && values['lines'] !== true;
  if (!hasScreen) return followAlarms(connection, linePrinter(invocation, meta), { signal, now });
  stdout.write(enterScreen);
  try {
    await followAlarms(connection, screenPainter(invocation, meta), { signal, now });
  } finally {
    await print(stdout, leaveScreen);
  }
}

function linePrinter(invocation: Invocation, meta: Meta): Follower {
  const { stdout, stderr } = invocation.surroundings;
  let isLost = false;
  return {
    onBegin: (alarms) => {
      for (const alarm of sortAlarms(alarms, urgencyOf(meta)))
        stdout.write(lineOf(invocation, 'current', alarm));
    },
    onChange: ({ kind, alarm, seq }) => void stdout.write(lineOf(invocation, kind, alarm, seq)),
    onState: ({ connection }) => {
      if (connection === 'lost' && !isLost) stderr.write('The connection is lost. Trying again …\n');
      if (connection === 'live' && isLost) stderr.write('The connection is back.\n');
      isLost = connection === 'lost' || (isLost && connection !== 'live');
    },
  };
}

function screenPainter({ surroundings }: Invocation, meta: Meta): Follower {
  const { stdout, environment } = surroundings;
  const hasColour = !environment['NO_COLOR'];
  const urgency = urgencyOf(meta);
  const paint = (state: LiveState) => {
    // A terminal that does not know its size has 0 columns.
    const columns = stdout.columns || 80;
    const rows = stdout.rows || 24;
    stdout.write(drawScreen(state, { columns, rows, title: meta.tenant.name, urgency, hasColour }));
  };
  let last: LiveState | undefined;
  stdout.on('resize', () => last && paint(last));
  return {
    onBegin: () => {},
    onChange: () => {},
    onState: (state) => {
      last = state;
      paint(state);
    },
  };
}
