import { type Command, textOf, type Values } from '../command/command.ts';
import { wrongUsage } from '../common/command-error.ts';
import { exitCodes } from '../common/exit-codes.ts';
import { print, printJson } from '../common/print.ts';
import { defaultFolder } from '../demo/folder/demo-folder.ts';

const largestPort = 65_525;

export const demoCommand: Command = {
  name: 'demo',
  purpose: 'show a living waterworks with its own server, database and telephones',
  usage: '[OPTIONS]',
  isAlone: true,
  explanation: [
    'It needs nothing else: PostgreSQL comes with the package, and nothing is requested from outside. Everything',
    'listens on this machine only. The first start makes a plant with people, a roster and guidance; later starts',
    'keep the data. The plant reports its alarms through the public interface, and the server calls people on a',
    'page with telephones, which you can answer.',
    '',
    'Keys while it runs: s storm, c chattering sensor, n nobody answers, f sixty times faster, l new link to the',
    'console, q quit. Only the plant and its people become faster: the clock of the server stays right.',
    '',
    'With --promote it writes the configuration of a real server instead: settings, a secrets key, and the plant',
    'file, without the telephones of the demo; and it says what to change and what to do next.',
  ],
  options: [
    { name: 'dir', value: 'FOLDER', help: 'folder of the data; by default in the data folder of the user' },
    { name: 'port', value: 'NUMBER', help: 'port of the server, or the next free one; by default 8080' },
    { name: 'phones-port', value: 'NUMBER', help: 'port of the telephones; by default 4100' },
    { name: 'seed', value: 'NUMBER', help: 'another life of the plant: the same number lives the same one' },
    { name: 'promote', value: 'FOLDER', help: 'write the configuration of a real server there, and end' },
  ],
  examples: [
    { command: 'demo', effect: 'starts the demo, and prints a link that signs you in' },
    { command: 'demo --dir /tmp/waterworks --port 9000', effect: 'starts another one beside it' },
    { command: 'demo --promote ./tocsin', effect: 'writes settings and plant file for a real server' },
  ],
  run: async ({ values, positionals, surroundings }) => {
    if (positionals.length > 0) throw wrongUsage('tocsin demo takes options only.');
    const isRoot = process.getuid?.() === 0;
    const folder = textOf(values, 'dir') ?? defaultFolder(process.platform, surroundings.environment, isRoot);
    const target = textOf(values, 'promote');
    // Its parts are loaded only when they are needed.
    if (target !== undefined) {
      const { promoteDemo } = await import('../demo/promote/promote-demo.ts');
      const steps = await promoteDemo({ demo: folder, target, now: surroundings.now });
      await (values['json'] === true
        ? printJson(surroundings.stdout, { folder: target })
        : print(surroundings.stdout, steps));
      return exitCodes.done;
    }
    const { runDemo } = await import('../demo/run/run-demo.ts');
    await runDemo(surroundings, {
      folder,
      ports: {
        server: numberOf(values, 'port', 8_080),
        phones: numberOf(values, 'phones-port', 4_100),
      },
      seed: numberOf(values, 'seed', 7),
      isJson: values['json'] === true,
    });
    return exitCodes.done;
  },
};

function numberOf(values: Values, name: string, usual: number): number {
  const text = textOf(values, name);
  if (text === undefined) return usual;
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number > largestPort)
    throw wrongUsage(`--${name} ${text}: write a number from 0 to ${largestPort}.`);
  return number;
}
