import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { applyPlantFile, withoutFaults } from '../apply/apply-plant-file.ts';
import { planJson, planText } from '../apply/report-plan.ts';
import { type Command, type Surroundings, textOf } from '../command/command.ts';
import { wrongUsage } from '../common/command-error.ts';
import { exitCodes } from '../common/exit-codes.ts';
import { print, printJson } from '../common/print.ts';
import { withServer } from '../connection/connect.ts';
import { connectionOptions } from '../connection/connection-options.ts';
import { type LocatedFault, type PlantFile, readPlantFile } from '../plant/plant-file.ts';

export const applyCommand: Command = {
  name: 'apply',
  purpose: 'bring a server to the state that a plant file describes',
  usage: '-f FILE [OPTIONS]',
  explanation: [
    'Objects are matched by name, people by user name, tags by data server and path. What the file has and the',
    'server lacks is created, and what differs is changed. A member that the file leaves out keeps its value.',
    'Applying the same file again changes nothing. Nothing is removed, except with --prune.',
  ],
  options: [
    { name: 'file', short: 'f', value: 'FILE', help: 'the plant file in YAML; - reads standard input' },
    { name: 'dry-run', help: 'print the differences, and change nothing' },
    {
      name: 'prune',
      help: 'remove what the file lacks, of the sections that it has: try it with --dry-run first',
    },
    { name: 'renew-secrets', help: 'send the secrets of channels again, which cannot be compared' },
    ...connectionOptions,
  ],
  examples: [
    { command: 'apply -f plant.yaml --dry-run', effect: 'shows what would be created and changed' },
    {
      command: 'apply -f plant.yaml --prune --dry-run',
      effect: 'shows also what would be removed, and who would no longer be called',
    },
    {
      command: 'export --url https://old.example | tocsin apply -f - --url https://new.example',
      effect: 'copies a plant from one server to another',
    },
  ],
  run: async (invocation) => {
    const { values, positionals, surroundings } = invocation;
    const path = textOf(values, 'file');
    if (path === undefined || positionals.length > 0)
      throw wrongUsage('Name the plant file: tocsin apply -f FILE.');
    const file = withoutFaults(await readFrom(path, surroundings), path);
    const dryRun = values['dry-run'] === true;
    return withServer(invocation, async ({ api }) => {
      const renewSecrets = values['renew-secrets'] === true;
      const prune = values['prune'] === true;
      const plan = await applyPlantFile(api, file, { renewSecrets, dryRun, prune });
      if (values['json'] === true) await printJson(surroundings.stdout, planJson(plan, { dryRun }));
      else await print(surroundings.stdout, planText(plan, { dryRun }));
      return exitCodes.done;
    });
  },
};

async function readFrom(path: string, { stdin }: Surroundings): Promise<PlantFile | LocatedFault[]> {
  if (path === '-') return readPlantFile('standard input', await text(stdin));
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw wrongUsage(`The plant file ${path} cannot be read (${code}).`);
  }
  return readPlantFile(path, content);
}
