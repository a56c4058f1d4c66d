import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const projectFolder = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Settings of the npm and the vitest that run the tests must not apply to the commands that the tests start: NODE_ENV would
 * build a console for development.
 */
const plainEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(config|package|lifecycle)_|vitest|(node_env|mode|dev|prod)$)/i.test(name),
  ),
);

/** Runs a command and returns its standard output without the last newline; throws with all its output if it fails. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd = projectFolder, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const options = { cwd, env: { ...plainEnvironment, ...env }, maxBuffer: 1e8 };
  try {
    const { stdout } = await promisify(execFile)(command, args, options);
    return stdout.trimEnd();
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** Throws if a program is missing, with the Debian package that has it; or if the test does not run as root. */
export function needPrograms(programs: Readonly<Record<string, string>>): void {
  const folders = (process.env['PATH'] ?? '').split(':').concat('/usr/sbin', '/sbin');
  const isMissing = (program: string) => !folders.some((folder) => existsSync(join(folder, program)));
  const missing = Object.entries(programs).flatMap(([program, name]) => (isMissing(program) ? [name] : []));
  if (missing.length > 0) throw new Error(`This test needs: apt-get install ${missing.join(' ')}`);
  if (process.getuid?.() !== 0)
    throw new Error('This test needs root: it makes file systems and boots them.');
}
