import { type ParseArgsConfig, parseArgs } from 'node:util';
import { suggestion } from '../common/closest-name.ts';
import { wrongUsage } from '../common/command-error.ts';
import type { Command, Option, Values } from './command.ts';

/** Options that every command has. */
const commonOptions: readonly Option[] = [
  { name: 'json', help: 'print JSON for programs instead of text for people' },
  { name: 'help', short: 'h', help: 'print this help' },
];

export const optionsOf = (command: Command) => [...command.options, ...commonOptions];

type Parsed = { values: Values; positionals: string[] };

/** Reads the arguments of a command. Throws an error that names the wrong one. */
export function parseCommand(command: Command, args: readonly string[]): Parsed {
  const options = optionsOf(command);
  refuseUnknown(command, args, options);
  const known: NonNullable<ParseArgsConfig['options']> = {};
  for (const { name, short, value } of options)
    known[name] = { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) };
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: known });
  return { values: values as Values, positionals };
}

/** A mistyped option is explained with the one that was probably meant. */
function refuseUnknown(
  { name: command }: Command,
  args: readonly string[],
  options: readonly Option[],
): void {
  const names = options.map(({ name }) => `--${name}`);
  const end = args.indexOf('--');
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const [option = ''] = arg.split('=');
    if (!option.startsWith('--') || names.includes(option)) continue;
    throw wrongUsage(
      `tocsin ${command} has no option ${option}.${suggestion(option, names)} tocsin ${command} --help lists its options.`,
    );
  }
}
