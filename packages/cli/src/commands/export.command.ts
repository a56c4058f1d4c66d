import { exportPlant, plantText } from '../apply/export-plant.ts';
import { type Command, textOf } from '../command/command.ts';
import { suggestion } from '../common/closest-name.ts';
import { wrongUsage } from '../common/command-error.ts';
import { exitCodes } from '../common/exit-codes.ts';
import { print, printJson } from '../common/print.ts';
import { withServer } from '../connection/connect.ts';
import { connectionOptions } from '../connection/connection-options.ts';
import { readItems } from '../plant/directory.ts';
import { type Section, sections } from '../plant/kind.ts';

export const exportCommand: Command = {
  name: 'export',
  purpose: 'write the plant file of a running server to standard output',
  usage: '[OPTIONS]',
  explanation: [
    'The file has no passwords and no secrets. Applying it to the same server changes nothing.',
    `Sections: ${sections.join(', ')}.`,
  ],
  options: [
    {
      name: 'sections',
      value: 'NAMES',
      help: 'sections to write, separated by commas; by default all, which needs the rights of an administrator',
    },
    ...connectionOptions,
  ],
  examples: [
    { command: 'export > plant.yaml', effect: 'saves the configuration of the plant' },
    { command: 'export --sections tagGroups,tags > tags.yaml', effect: 'saves the tags and their groups' },
  ],
  run: async (invocation) => {
    const { values, positionals, surroundings } = invocation;
    if (positionals.length > 0) throw wrongUsage('tocsin export takes options only.');
    const wanted = readSections(textOf(values, 'sections'));
    const exported = await withServer(invocation, async ({ api }) =>
      exportPlant(await readItems(api, wanted), wanted),
    );
    if (values['json'] === true) await printJson(surroundings.stdout, exported);
    else await print(surroundings.stdout, plantText(exported));
    return exitCodes.done;
  },
};

function readSections(list: string | undefined): readonly Section[] {
  if (list === undefined) return sections;
  return list.split(',').map((name) => {
    const section = sections.find((one) => one === name.trim());
    if (!section)
      throw wrongUsage(
        `There is no section "${name}".${suggestion(name, sections)} The sections are ${sections.join(', ')}.`,
      );
    return section;
  });
}
