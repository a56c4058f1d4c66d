import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export type Outcome = { readonly code: number | null; readonly output: string };

const longestMs = 90_000;

/**
 * Runs commands in a shell, in an empty folder far from the project, with what a reader types at its questions. All that
 * the commands have started ends with the test.
 */
export async function typeCommands(commands: string, typed: string): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-tutorial-'));
  const script = join(folder, 'commands.sh');
  await writeFile(script, commands);
  const child = spawn('sh', ['-e', script], {
    cwd: folder,
    env: { PATH: outsideProject(process.env['PATH'] ?? ''), TMPDIR: tmpdir(), HOME: folder },
    detached: true,
  });
  onTestFinished(async () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    } catch {
      // All have ended already.
    }
    await rm(folder, { recursive: true, force: true });
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const late = setTimeout(() => child.kill('SIGKILL'), longestMs);
  child.stdin.end(`${typed}\n`);
  const code = await ended;
  clearTimeout(late);
  return { code, output };
}

/** Without the programs that the project installs: a reader does not have them. */
function outsideProject(path: string): string {
  return path
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':');
}
