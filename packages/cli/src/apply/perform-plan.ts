import { dirname, resolve } from 'node:path';
import type { Api } from '@tocsin/client';
import { CommandError, explainError, wrongUsage } from '../common/command-error.ts';
import { exitCodes } from '../common/exit-codes.ts';
import { readSecretFile } from '../common/read-secret-file.ts';
import { counted } from '../common/terminal-text.ts';
import type { Directory } from '../plant/directory.ts';
import { nouns, type Stored } from '../plant/kind.ts';
import { kinds } from '../plant/kinds.ts';
import type { PlantFile } from '../plant/plant-file.ts';
import { mergeEntries } from './compare-entries.ts';
import type { Plan, Step } from './plan-apply.ts';
import { writeTags } from './write-tags.ts';

export type Work = {
  readonly api: Api;
  readonly directory: Directory;
  readonly file: PlantFile;
  /** The contents of the files with secrets, by their names in the plant file. */
  readonly secrets: ReadonlyMap<string, string>;
};

/** Reads the secrets that a plan needs, before anything is written. Their files are beside the plant file. */
export function readSecrets({ steps }: Plan, file: PlantFile): Map<string, string> {
  const secrets = new Map<string, string>();
  for (const { section, index, name, entry, item } of steps)
    for (const { file: path, place } of kinds[section].secretFiles?.(entry, item) ?? []) {
      const source = `${file.name}:${file.lineOf(section, index, place)}: ${nouns[section]} "${name}"`;
      secrets.set(path, readSecretFile(resolve(dirname(file.name), path), source));
    }
  return secrets;
}

/** Creates and changes the objects in the order of the plan. Stops at the first one that the server refuses. */
export async function performPlan({ steps }: Plan, work: Work): Promise<void> {
  const objects = steps.filter(({ section }) => section !== 'tags');
  let written = 0;
  for (const step of objects) {
    try {
      await (step.item ? changeObject(step, step.item, work) : createObject(step, work));
    } catch (error) {
      throw located(error, step, work, written);
    }
    written += 1;
  }
  const tags = steps.filter(({ section }) => section === 'tags');
  const refused = await writeTags(work.api, tags, work.directory);
  if (refused.length > 0) {
    const lines = refused.map(({ step, reason }) => `${placeOf(step, work)}: ${reason}`);
    throw new CommandError(`${lines.join('\n')}\nThe other objects were written.`);
  }
}

async function createObject(
  { section, name, entry }: Step,
  { api, directory, secrets }: Work,
): Promise<void> {
  const kind = kinds[section];
  const body = kind.toBody(entry, { names: directory, item: undefined, secret: secretIn(secrets) });
  const { data } = await api.post<unknown>(kind.path, body, { idempotencyKey: crypto.randomUUID() });
  if (typeof data !== 'number') throw mustBeApproved();
  directory.add(section, name, data);
}

/** The object is read again, so that a change by somebody else is never overwritten unseen. */
async function changeObject({ section, entry }: Step, { id }: Stored, work: Work): Promise<void> {
  const { api, directory, secrets } = work;
  const kind = kinds[section];
  const { data: item, etag } = await api.get<Stored>(`${kind.path}/${id}`);
  const merged = mergeEntries(kind.toEntry(item, directory), entry);
  const body = kind.toBody(merged, { names: directory, item, secret: secretIn(secrets) });
  const { data } = await api.put<object>(`${kind.path}/${id}`, body, { ifMatch: etag });
  if ('requestedById' in data) throw mustBeApproved();
}

const secretIn = (secrets: ReadonlyMap<string, string>) => (file: string) => {
  const secret = secrets.get(file);
  if (secret === undefined) throw wrongUsage(`The file ${file} was not read.`);
  return secret;
};

const mustBeApproved = () =>
  new CommandError(
    'it waits for the approval of a second person. Have it approved in the console, then apply the file again.',
    exitCodes.notAllowed,
  );

const placeOf = ({ section, index, name }: Step, { file }: Work) =>
  `${file.name}:${file.lineOf(section, index)}: ${nouns[section]} "${name}"`;

/** The error with the line of the file, and how much was written before it. */
function located(error: unknown, step: Step, work: Work, written: number): unknown {
  const explained = explainError(error);
  if (!explained) return error;
  const before =
    written === 0
      ? 'Nothing was written.'
      : `${counted(written, 'object')} before it ${written === 1 ? 'was' : 'were'} written.`;
  const message = `${placeOf(step, work)}: ${explained.message}\n${before} Correct it and apply the file again.`;
  return new CommandError(message, explained.exitCode);
}
