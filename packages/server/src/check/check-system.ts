import { readFile } from 'node:fs/promises';
import type { ReadSettings } from '../settings/config.ts';
import { error, type Finding, ok, orOk, warning } from './finding.ts';

/** The oldest Node.js that runs this release, as in `engines` of package.json. */
export const oldestNode = '24.9';

/** Files and connections besides those of hub clients. */
const otherFiles = 1_000;

export async function checkSystem(settings: ReadSettings, nodeVersion: string): Promise<readonly Finding[]> {
  return [...judgeNode(nodeVersion), ...(await checkOpenFiles(settings))];
}

export function judgeNode(running: string): readonly Finding[] {
  const [major = 0, minor = 0] = running.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor))
    return [ok('system.node', `Node.js ${running}`)];
  const message = `This is Node.js ${running}, and the server needs ${oldestNode} or later`;
  return [error('system.node', message, `install Node.js ${oldestNode} or later`)];
}

async function checkOpenFiles({ hubConnections, roles }: ReadSettings): Promise<readonly Finding[]> {
  const limit = await readOpenFileLimit();
  const needed = (roles.includes('hub') ? hubConnections : 0) + otherFiles;
  const isLow = limit !== undefined && limit < needed;
  const message = `The server may open ${limit} files, and ${hubConnections} hub connections (HUB_CONNECTIONS) need ${needed}`;
  const remedy = `set LimitNOFILE=${needed} in the systemd unit (or \`ulimit -n ${needed}\`), or lower HUB_CONNECTIONS`;
  return orOk(
    isLow ? [warning('system.open-files', message, remedy)] : [],
    'system.open-files',
    limit === undefined ? 'This system does not tell its limit of open files' : `Up to ${limit} open files`,
  );
}

/** Undefined where there is no /proc. Node.js raises the soft limit to the hard one when it starts. */
async function readOpenFileLimit(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}
