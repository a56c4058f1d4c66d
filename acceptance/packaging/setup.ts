import { openRunFolder } from '../../tools/run-folder.ts';
import { run } from '../harness/packaging/commands.ts';

/** Builds the project once, because packages contain the built files. */
export async function setup(): Promise<() => Promise<void>> {
  const closeRun = openRunFolder();
  await run('npm', ['run', '--silent', 'build']);
  return closeRun;
}
