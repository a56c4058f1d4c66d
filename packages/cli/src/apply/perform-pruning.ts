import type { Api } from '@tocsin/client';
import { type ChangedTags, largestSelection, type TagItem } from '@tocsin/contract';
import { CommandError, explainError } from '../common/command-error.ts';
import { counted } from '../common/terminal-text.ts';
import type { Directory } from '../plant/directory.ts';
import { nouns, type Stored, sections } from '../plant/kind.ts';
import { kinds } from '../plant/kinds.ts';
import { mergeEntries } from './compare-entries.ts';
import { inOrder } from './order-entries.ts';
import type { Pruning, Removal } from './plan-pruning.ts';

type Work = { readonly api: Api; readonly directory: Directory };

/** Removes objects, each before those that it names. Stops at the first one that the server refuses. */
export async function performPruning({ removals }: Pruning, work: Work): Promise<void> {
  const tags = removals.filter(({ section }) => section === 'tags');
  await retireTags(work.api, tags);
  let removed = tags.length;
  for (const removal of usersFirst(removals)) {
    try {
      await (removal.section === 'people' ? disablePerson(removal, work) : deleteObject(removal, work));
    } catch (error) {
      throw located(error, removal, removed);
    }
    removed += 1;
  }
}

/** In the reverse order of writing, so that nothing is removed while another one names it. */
function usersFirst(removals: readonly Removal[]): Removal[] {
  return sections
    .filter((section) => section !== 'tags')
    .toReversed()
    .flatMap((section) => {
      const some = removals.filter((removal) => removal.section === section);
      const entries = some.map(({ entry }) => entry);
      return inOrder(section, entries)
        .toReversed()
        .flatMap(({ index }) => some[index] ?? []);
    });
}

/** A retired tag names no scenario, so that scenarios can go with their tags. The version protects a definition that somebody has changed since. */
async function retireTags(api: Api, tags: readonly Removal[]): Promise<void> {
  for (let first = 0; first < tags.length; first += largestSelection) {
    const selection = tags.slice(first, first + largestSelection).map(({ item }) => {
      const { id, version } = item as TagItem;
      return { id, version };
    });
    const change = { temporary: true, scenarioId: 0 };
    await api.post<ChangedTags>('/tags/changes', { tags: selection, change });
  }
}

async function deleteObject({ section, item: { id } }: Removal, { api }: Work): Promise<void> {
  const path = `${kinds[section].path}/${id}`;
  const { etag } = await api.get<Stored>(path);
  await api.remove(path, { ifMatch: etag });
}

async function disablePerson({ section, item: { id } }: Removal, { api, directory }: Work): Promise<void> {
  const kind = kinds[section];
  const { data: item, etag } = await api.get<Stored>(`${kind.path}/${id}`);
  const entry = mergeEntries(kind.toEntry(item, directory), { enabled: false });
  const body = kind.toBody(entry, { names: directory, item, secret: () => '' });
  await api.put<object>(`${kind.path}/${id}`, body, { ifMatch: etag });
}

function located(error: unknown, { section, name }: Removal, removed: number): unknown {
  const explained = explainError(error);
  if (!explained) return error;
  const message =
    `${nouns[section]} "${name}" was not removed: ${explained.message}\n` +
    `The file was applied, and ${counted(removed, 'object')} before it removed. Apply it again after that is solved.`;
  return new CommandError(message, explained.exitCode);
}
