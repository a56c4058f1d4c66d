import type { Command, Surroundings } from './command/command.ts';
import { commandHelp, type HandedOver, handedOverHelp, overview } from './command/help.ts';
import { parseCommand } from './command/parse-command.ts';
import { ackCommand } from './commands/ack.command.ts';
import { applyCommand } from './commands/apply.command.ts';
import { demoCommand } from './commands/demo.command.ts';
import { exportCommand } from './commands/export.command.ts';
import { raiseCommand } from './commands/raise.command.ts';
import { tokenCommand } from './commands/token.command.ts';
import { watchCommand } from './commands/watch.command.ts';
import { suggestion } from './common/closest-name.ts';
import { explainError, wrongUsage } from './common/command-error.ts';
import { type ExitCode, exitCodes } from './common/exit-codes.ts';
import { print, printJson } from './common/print.ts';

/** The commands that talk to a running server, in the order of the help. */
export const clientCommands: readonly Command[] = [
  tokenCommand,
  raiseCommand,
  ackCommand,
  watchCommand,
  applyCommand,
  exportCommand,
  demoCommand,
];

/** The commands of the server. Its package is large, so it is loaded only when it is needed. */
export async function serverCommands(): Promise<HandedOver[]> {
  const { operatorCommands } = await import('@tocsin/server');
  return Object.entries(operatorCommands).map(([name, { forms, examples }]) => ({ name, forms, examples }));
}

const isHelp = (word: string | undefined) => word === '--help' || word === '-h';

/**
 * Runs a command and resolves with the exit code; undefined if the server runs on, or a command of the server has set its
 * own.
 */
export async function runCommandLine(
  args: readonly string[],
  version: string,
  surroundings: Surroundings,
): Promise<ExitCode | undefined> {
  const { stdout, stderr } = surroundings;
  const [first, ...rest] = args;
  if (first === undefined) {
    await print(stderr, overview(clientCommands, await serverCommands()));
    return exitCodes.wrongUsage;
  }
  try {
    if (first === '--version' || first === '-V') {
      await print(stdout, `tocsin ${version}\n`);
      return exitCodes.done;
    }
    if (isHelp(first) || first === 'help') {
      await print(stdout, await helpText(rest[0]));
      return exitCodes.done;
    }
    const command = clientCommands.find(({ name }) => name === first);
    return await (command
      ? runClient(command, rest, surroundings)
      : runServerCommand(first, rest, surroundings));
  } catch (error) {
    const explained = explainError(error);
    if (!explained) throw error;
    if (args.includes('--json')) await printJson(stderr, explained);
    else await print(stderr, `${explained.message}\n`);
    return explained.exitCode;
  }
}

async function helpText(name: string | undefined): Promise<string> {
  const handedOver = await serverCommands();
  if (name === undefined) return overview(clientCommands, handedOver);
  const own = clientCommands.find((command) => command.name === name);
  if (own) return commandHelp(own);
  const other = handedOver.find((command) => command.name === name);
  if (!other) throw unknownCommand(name, handedOver);
  return handedOverHelp(other);
}

async function runClient(
  command: Command,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { values, positionals } = parseCommand(command, args);
  if (values['help'] === true) {
    await print(surroundings.stdout, commandHelp(command));
    return exitCodes.done;
  }
  return command.run({ values, positionals, surroundings });
}

async function runServerCommand(
  name: string,
  args: readonly string[],
  { stdout, environment, now }: Surroundings,
): Promise<ExitCode | undefined> {
  const handedOver = await serverCommands();
  const command = handedOver.find((one) => one.name === name);
  if (!command) throw unknownCommand(name, handedOver);
  if (args.some(isHelp)) {
    await print(stdout, handedOverHelp(command));
    return exitCodes.done;
  }
  const { runOperatorCommand } = await import('@tocsin/server');
  await runOperatorCommand(name, [...args], { environment, now: () => new Date(now()) });
  return undefined;
}

function unknownCommand(name: string, handedOver: readonly HandedOver[]) {
  const known = [...clientCommands, ...handedOver].map((command) => command.name);
  return wrongUsage(
    `There is no command ${name}.${suggestion(name, known)} tocsin --help lists the commands.`,
  );
}
