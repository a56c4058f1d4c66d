import { exitCodeMeanings } from '../common/exit-codes.ts';
import type { Command, Option } from './command.ts';
import { optionsOf } from './parse-command.ts';

/** A command of the server, as its package describes it. */
export type HandedOver = {
  readonly name: string;
  readonly forms: readonly { readonly usage: string; readonly purpose: string }[];
  readonly examples?: readonly string[] | undefined;
};

/** `--help` of a command. */
export function commandHelp(command: Command): string {
  const { name, purpose, usage, explanation = [], examples } = command;
  return [
    sentence(purpose),
    '',
    `Usage: tocsin ${name}${usage === '' ? '' : ` ${usage}`}`,
    ...(explanation.length > 0 ? ['', ...explanation] : []),
    '',
    'Options:',
    ...table(optionsOf(command).map((option) => [optionText(option), option.help])),
    '',
    'Examples:',
    ...examples.flatMap(({ command: line, effect }) => [`  # ${effect}`, `  tocsin ${line}`]),
    '',
  ].join('\n');
}

/** `--help` of a command of the server. */
export function handedOverHelp({ forms, examples = [] }: HandedOver): string {
  return [
    ...forms.flatMap(({ usage, purpose }) => [sentence(purpose), '', `Usage: tocsin ${usage}`, '']),
    'It runs on the machine of the server. Settings are environment variables, such as DATABASE_URL:',
    'docs/configuration.md lists them.',
    ...(examples.length > 0 ? ['', 'Examples:', ...examples.map((line) => `  tocsin ${line}`)] : []),
    '',
  ].join('\n');
}

/** `tocsin --help`. */
export function overview(commands: readonly Command[], handedOver: readonly HandedOver[]): string {
  return [
    'Tocsin receives alarms from machines and calls people until somebody acts.',
    '',
    'Usage: tocsin COMMAND [OPTIONS]',
    '',
    'To see it, without a server or a database:',
    ...table(rowsOf(commands.filter(({ isAlone }) => isAlone))),
    '',
    'Commands that talk to a running server:',
    ...table(rowsOf(commands.filter(({ isAlone }) => !isAlone))),
    '',
    'Commands on the machine of the server:',
    ...table(
      handedOver.flatMap(({ forms }) => forms.map(({ usage, purpose }) => [nameIn(usage), purpose] as const)),
    ),
    '',
    'tocsin COMMAND --help explains a command, tocsin --version prints the version.',
    '',
    'Exit codes:',
    ...table(Object.entries(exitCodeMeanings)),
    '',
  ].join('\n');
}

const rowsOf = (commands: readonly Command[]) =>
  commands.map(({ name, purpose }) => [name, purpose] as const);

/** `audit verify EXPORT --public-key FILE` → `audit verify`. */
const nameIn = (usage: string) => /^[a-z-]+(?: [a-z][a-z-]+)*/.exec(usage)?.[0] ?? usage;

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function optionText({ name, short, value }: Option): string {
  const long = value === undefined ? `--${name}` : `--${name} ${value}`;
  return short === undefined ? `    ${long}` : `-${short}, ${long}`;
}

/** Two columns; a long text is continued below its beginning. */
function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.flatMap(([name, text]) => {
    const [first = '', ...rest] = wrapped(text, Math.max(40, 98 - width));
    return [`  ${name.padEnd(width)}${first}`, ...rest.map((line) => `  ${' '.repeat(width)}${line}`)];
  });
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
