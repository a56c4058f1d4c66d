import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Api } from '@tocsin/client';
import type { ChannelKind } from '@tocsin/contract';
import { performPlan, readSecrets } from '../apply/perform-plan.ts';
import { planApply } from '../apply/plan-apply.ts';
import { planJson, planText } from '../apply/report-plan.ts';
import { type Command, type Surroundings, textOf } from '../command/command.ts';
import { wrongUsage } from '../common/command-error.ts';
import { exitCodes } from '../common/exit-codes.ts';
import { print, printJson } from '../common/print.ts';
import { withServer } from '../connection/connect.ts';
import { connectionOptions } from '../connection/connection-options.ts';
import { createDirectory, readItems } from '../plant/directory.ts';
import { type LocatedFault, type PlantFile, readPlantFile, sectionsOf } from '../plant/plant-file.ts';

const mostFaults = 20;

export const applyCommand: Command = {
  name: 'apply',
  purpose: 'bring a server to the state that a plant file describes',
  usage: '-f FILE [OPTIONS]',
  explanation: [
    'Objects are matched by name, people by user name, tags by data server and path. What the file has and the',
    'server lacks is created, what differs is changed, and nothing is ever deleted. A member that the file leaves',
    'out keeps its value. Applying the same file again changes nothing.',
  ],
  options: [
    { name: 'file', short: 'f', value: 'FILE', help: 'the plant file in YAML; - reads standard input' },
    { name: 'dry-run', help: 'print the differences, and change nothing' },
    { name: 'renew-secrets', help: 'send the secrets of channels again, which cannot be compared' },
    ...connectionOptions,
  ],
  examples: [
    { command: 'apply -f plant.yaml --dry-run', effect: 'shows what would be created and changed' },
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
      const items = await readItems(api, sectionsOf(file));
      const directory = createDirectory(items);
      const options = { renewSecrets: values['renew-secrets'] === true };
      const channelKinds = file.entries.channels ? await readChannelKinds(api) : [];
      const plan = withoutFaults(planApply(file, { items, directory, channelKinds }, options), file.name);
      const secrets = readSecrets(plan, file);
      if (!dryRun) await performPlan(plan, { api, directory, file, secrets });
      if (values['json'] === true) await printJson(surroundings.stdout, planJson(plan, { dryRun }));
      else await print(surroundings.stdout, planText(plan, { dryRun }));
      return exitCodes.done;
    });
  },
};

async function readChannelKinds(api: Api): Promise<ChannelKind[]> {
  const { data } = await api.get<ChannelKind[]>('/channels/kinds');
  return data;
}

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

function withoutFaults<Result>(result: Result | LocatedFault[], file: string): Result {
  if (!Array.isArray(result)) return result;
  const faults = result.toSorted((one, other) => one.line - other.line);
  const lines = faults.slice(0, mostFaults).map(({ line, message }) => `${file}:${line}: ${message}`);
  const rest = faults.length - lines.length;
  const more = rest > 0 ? [`… and ${rest} more`] : [];
  const end = `Nothing was changed. Correct ${faults.length === 1 ? 'this line' : 'these lines'}, then apply the file again.`;
  throw wrongUsage([...lines, ...more, end].join('\n'));
}
