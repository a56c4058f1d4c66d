import type { TagImportResult } from '@tocsin/contract';
import type { Actor } from '../alarms/decide/alarm-command.ts';
import type { AlarmWriter } from '../alarms/write/alarm-writer.ts';
import type { Principal } from '../http/principal.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { type ImportPlan, type PlannedPost, planImport } from './plan-import.ts';
import { submitPosts } from './submit-posts.ts';
import { readTagFile, wrongLine } from './tag-file.ts';
import { everyTag, listTags, readNames } from './tag-list.store.ts';

type Services = { runtime: Runtime; writer: AlarmWriter };
type Caller = { principal: Principal; actor: Actor };

/** Compares a file with the tags, and unless it is a dry run writes the differences. */
export async function importTags(
  { runtime, writer }: Services,
  { principal, actor }: Caller,
  { csv, dryRun }: { csv: string; dryRun: boolean },
): Promise<TagImportResult> {
  const { tenantId, stationIds } = principal;
  const file = readTagFile(csv);
  const plan = await readTenant(runtime.database, tenantId, async (transaction) => {
    const { tags } = await listTags(transaction, {}, everyTag);
    const named = await readNames(transaction, stationIds);
    return planImport(file.lines, { tags, stationIds, ...named });
  });
  const refused = new Map<number, string>();
  if (!dryRun)
    await submitPosts(writer, { tenantId, actor }, plan.posts, ({ line }, problem) => {
      refused.set(line, problem.message);
    });
  return {
    dryRun,
    lines: file.lines.length + file.wrong.length,
    ...withoutRefused(plan, refused),
    wrong: wrongOf(plan, { refused, misread: file.wrong }),
  };
}

function withoutRefused(
  { result }: ImportPlan,
  refused: ReadonlyMap<number, string>,
): Omit<TagImportResult, 'dryRun' | 'lines' | 'wrong'> {
  const isDone = ({ line }: { line: number }) => !refused.has(line);
  const { added, changed, unchanged, missing } = result;
  return { added: added.filter(isDone), changed: changed.filter(isDone), unchanged, missing };
}

function wrongOf(
  { result, posts }: ImportPlan,
  { refused, misread }: { refused: ReadonlyMap<number, string>; misread: TagImportResult['wrong'] },
): TagImportResult['wrong'] {
  const paths = new Map(posts.map(({ line, path }: PlannedPost) => [line, path]));
  const refusals = [...refused].map(([line, value]) =>
    wrongLine({ line, path: paths.get(line) ?? '' }, { code: 'refused', value }),
  );
  return [...misread, ...result.wrong, ...refusals].toSorted((one, other) => one.line - other.line);
}
