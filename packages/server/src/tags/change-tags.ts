import type { ChangedTags, ChangeTags, RaiseAlarm, TagChange } from '@tocsin/contract';
import type { Actor } from '../alarms/decide/alarm-command.ts';
import { definitionDigest } from '../alarms/decide/definition-change.ts';
import type { AlarmWriter } from '../alarms/write/alarm-writer.ts';
import { notFound, ProblemError } from '../common/problem.ts';
import type { Principal } from '../http/principal.ts';
import { optionalReference, requireReferences } from '../postgres/collections/references.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { submitPosts } from './submit-posts.ts';
import { everyTag, type ListedTag, listTags } from './tag-list.store.ts';
import { scenarioOf, withScenario } from './tag-list.wire.ts';

type Services = { runtime: Runtime; writer: AlarmWriter };
type Caller = { principal: Principal; actor: Actor };

/**
 * Makes one change to many tags. Nothing is changed if one of them does not exist or has another version than the caller
 * has seen.
 */
export async function changeTags(
  { runtime, writer }: Services,
  { principal, actor }: Caller,
  { tags: selection, change }: ChangeTags,
): Promise<ChangedTags> {
  const { tenantId, stationIds } = principal;
  const found = await inTenant(runtime.database, tenantId, async (transaction) => {
    await requireNamed(transaction, change, stationIds);
    const ids = [...new Set(selection.map(({ id }) => id))];
    return (await listTags(transaction, { ids, stationIds }, everyTag)).tags;
  });
  requireSelection(selection, found);
  const changed = found.filter((tag) => isDifferent(tag, change));
  const posts = changed.map((tag) => ({
    body: bodyFor(tag, change),
    seenDigest: definitionDigest(tag.record.definition),
  }));
  const problems: ProblemError[] = [];
  await submitPosts(writer, { tenantId, actor }, posts, (_post, problem) => problems.push(problem));
  refuseRest(problems, posts.length);
  return { changed: changed.length, unchanged: found.length - changed.length };
}

async function requireNamed(
  transaction: TenantTransaction,
  { stationId, tagGroupId, scenarioId }: TagChange,
  stationIds: readonly number[] | undefined,
): Promise<void> {
  const named = [
    ['stations', '/change/stationId', stationId],
    ['tagGroups', '/change/tagGroupId', tagGroupId],
    ['scenarios', '/change/scenarioId', scenarioId],
  ] as const;
  for (const [table, pointer, id] of named)
    await requireReferences(transaction, table, { references: optionalReference(pointer, id), stationIds });
}

function requireSelection(selection: ChangeTags['tags'], found: readonly ListedTag[]): void {
  const byId = new Map(found.map((tag) => [tag.record.tagId, tag]));
  const unknown = selection.find(({ id }) => !byId.has(id));
  if (unknown) throw notFound('tag', unknown.id);
  const stale = selection.flatMap(({ id, version }, index) => {
    const tag = byId.get(id);
    if (!tag || version === undefined || version === definitionDigest(tag.record.definition)) return [];
    return [
      { pointer: `/tags/${index}`, message: `${tag.record.definition.path} was changed by someone else` },
    ];
  });
  if (stale.length === 0) return;
  throw new ProblemError('stale-version', `${stale.length} of the tags were changed by someone else`, {
    faults: stale,
  });
}

function isDifferent({ record: { definition } }: ListedTag, change: TagChange): boolean {
  const { alarm, reset, ack, priority, alarmDelay, stationId, tagGroupId, temporary } = definition;
  const present: Required<TagChange> = {
    stationId,
    tagGroupId: tagGroupId ?? 0,
    priority,
    alarmDelay,
    scenarioId: scenarioOf(definition),
    alarmMessage: alarm.message,
    resetMessage: reset.message,
    ackMessage: ack.message,
    temporary,
  };
  return (Object.keys(change) as (keyof TagChange)[]).some((member) => change[member] !== present[member]);
}

function bodyFor({ record: { definition } }: ListedTag, { scenarioId, ...change }: TagChange): RaiseAlarm {
  const { dataServerId, path } = definition;
  const actions = scenarioId === undefined ? {} : { alarmActions: withScenario(definition, scenarioId) };
  return { dataServerId, path, ...change, ...actions };
}

/** Somebody changed a tag between the comparison and the write: the others are changed, and the caller is told. */
function refuseRest(problems: readonly ProblemError[], all: number): void {
  const [first] = problems;
  if (!first) return;
  const detail = `${all - problems.length} of ${all} tags were changed. ${first.message}`;
  throw new ProblemError(first.code, detail, {
    faults: problems.map(({ message }) => ({ pointer: '/tags', message })),
  });
}
