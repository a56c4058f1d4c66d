import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs `promtool` of Debian's package `prometheus` and returns its output; throws with its output if it fails. */
export async function promtool(args: readonly string[]): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)('promtool', [...args]);
    return stdout + stderr;
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === 'ENOENT')
      throw new Error('promtool is missing: install it as .ci/run does', { cause: error });
    throw new Error(`promtool ${args.join(' ')}:\n${stdout}${stderr}`, { cause: error });
  }
}
