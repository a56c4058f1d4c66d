import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outboxText } from './modem-file.ts';

/** `inbox`, `outbox`, `sent` and `error` belong to gammu-smsd; `done` is ours, for files that were taken in. */
export type ModemFolder = 'inbox' | 'outbox' | 'sent' | 'error' | 'done';

export type ModemEntry = { readonly name: string; readonly size: number; readonly changedAt: Date };

/** The folders of one modem. */
export type ModemFolders = {
  list(folder: ModemFolder): Promise<ModemEntry[]>;
  /** Writes an outgoing message, which gammu-smsd sees only when it is complete. */
  writeOut(name: string, text: string): Promise<void>;
  readIn(name: string): Promise<Buffer>;
  /** Moves a file to `done`. Returns false if it is not there any more. */
  finish(folder: ModemFolder, name: string): Promise<boolean>;
  remove(folder: ModemFolder, name: string): Promise<void>;
  /** Whether the process of `smsd.pid` runs; undefined without such a file. */
  isRunning(): Promise<boolean | undefined>;
};

export function openModemFolders(directory: string): ModemFolders {
  const pathOf = (folder: ModemFolder, name = '') => join(directory, folder, name);
  return {
    list: async (folder) => {
      // A file whose name begins with a dot was not written to its end, perhaps because a server died.
      const names = (await readdir(pathOf(folder))).filter((name) => !name.startsWith('.'));
      const entries = await Promise.all(names.map((name) => entryOf(pathOf(folder, name), name)));
      return entries.filter((entry) => entry !== undefined);
    },
    writeOut: async (name, text) => {
      const temporary = pathOf('outbox', `.${name}`);
      try {
        await writeFile(temporary, outboxText(text), { flag: 'wx', mode: 0o660, flush: true });
        await rename(temporary, pathOf('outbox', name));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    readIn: (name) => readFile(pathOf('inbox', name)),
    finish: async (folder, name) => {
      await mkdir(pathOf('done'), { recursive: true });
      return await rename(pathOf(folder, name), pathOf('done', name)).then(
        () => true,
        (error: unknown) => isMissing(error),
      );
    },
    remove: (folder, name) => rm(pathOf(folder, name), { force: true }),
    isRunning: () => isRunning(join(directory, 'smsd.pid')),
  };
}

/** Returns false for a missing file and throws any other error. */
function isMissing(error: unknown): false {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return false;
}

async function entryOf(path: string, name: string): Promise<ModemEntry | undefined> {
  const found = await stat(path).catch(isMissing);
  if (found === false || !found.isFile()) return undefined;
  return { name, size: found.size, changedAt: found.mtime };
}

async function isRunning(pidFile: string): Promise<boolean | undefined> {
  const text = await readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number(text.trim());
  if (!Number.isInteger(pid) || pid < 1) return undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be signalled, but it runs.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
