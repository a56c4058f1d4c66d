import { type Folder, folderOrder, packageImports } from './folder-order.ts';

const begin = '<!-- begin of the folders, written by `npm run folders` -->';
const end = '<!-- end of the folders -->';

/** The page with its generated part replaced. Throws if the page has no place for it. */
export function replaceFolders(page: string): string {
  const start = page.indexOf(begin);
  const stop = page.indexOf(end);
  if (start === -1 || stop < start) throw new Error(`The page lacks "${begin}" and "${end}"`);
  return `${page.slice(0, start)}${begin}\n\n${foldersText()}\n${page.slice(stop)}`;
}

function foldersText(): string {
  return [picture(), ...Object.entries(folderOrder).map(([name, folders]) => table(name, folders))].join(
    '\n',
  );
}

/** The top row is the one that the others build on, as in the order itself. */
function table(name: string, folders: readonly Folder[]): string {
  const rows = folders.map(({ path, holds }) => `| \`${path}\` | ${holds} |\n`);
  return `| \`packages/${name}/src\` | Contents |\n| --- | --- |\n${rows.join('')}`;
}

/** Layers of the server from top to bottom, each with its areas, and the packages below them. */
function picture(): string {
  const layers = [...Map.groupBy(folderOrder['server'] ?? [], ({ layer }) => layer)].toReversed();
  const boxes = layers.map(([layer, folders], index) => {
    const areas = [...new Set(folders.map(({ path }) => path.split('/')[0]))];
    return `  layer${index}["<b>${layer}</b><br>${areas.join(' · ')}"]\n`;
  });
  const arrows = layers.slice(1).map((_, index) => `  layer${index} --> layer${index + 1}\n`);
  const packages = (packageImports['server'] ?? []).map(
    (name) => `  layer${layers.length - 1} --> ${name}\n`,
  );
  const description = layers.map(([layer]) => layer).join(', ');
  const labels = [
    '  accTitle: Folders of the server\n',
    `  accDescr: The layers of the server, each of which uses only those below it. From top to bottom: ${description}. At the bottom are the packages ${(packageImports['server'] ?? []).join(', ')}.\n`,
  ];
  return `\`\`\`mermaid\nflowchart TB\n${[...labels, ...boxes, ...arrows, ...packages].join('')}\`\`\`\n`;
}
