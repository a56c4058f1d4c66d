import { shownActions } from '../plant/command-grant.ts';
import type { TagDefinition, Turn } from './alarm-record.ts';

/** A member of a tag's definition, before and after it was changed. */
export type MemberChange = { member: string; before: unknown; after: unknown };

type PlainMember = Exclude<keyof TagDefinition, 'alarm' | 'reset' | 'ack'>;

/** The members by the names that posts have for them. Places never change. */
const plainNames: Record<Exclude<PlainMember, 'dataServerId' | 'path'>, string> = {
  stationId: 'stationId',
  tagGroupId: 'tagGroupId',
  name: 'name',
  localizedName: 'localizedName',
  priority: 'priority',
  temporary: 'temporary',
  conditionValue: 'eventCondition.value',
  transitory: 'eventCondition.transitory',
  reactivatable: 'eventCondition.reactivatable',
  resettable: 'eventCondition.resettable',
  alarmDelay: 'alarmDelay',
};

/** Messages are missing: each journal entry has them anyway, and some sources send another one with each alarm. */
const turnNames: Record<Exclude<keyof Turn, 'message'>, string> = {
  format: 'Format',
  shortMessage: 'ShortMessage',
  vocalMessageFile: 'VocalMessageFile',
  attachedFile: 'AttachedFile',
  actions: 'Actions',
};

/** The old and the new definition of a tag, as far as they differ; undefined when only messages do. */
export function definitionChange(
  before: TagDefinition,
  after: TagDefinition,
): readonly MemberChange[] | undefined {
  const plain = (Object.keys(plainNames) as (keyof typeof plainNames)[]).flatMap((name) =>
    changeOf(plainNames[name], before[name], after[name]),
  );
  const turns = (['alarm', 'reset', 'ack'] as const).flatMap((turn) =>
    (Object.keys(turnNames) as (keyof typeof turnNames)[]).flatMap((name) =>
      changeOf(`${turn}${turnNames[name]}`, shown(before[turn], name), shown(after[turn], name)),
    ),
  );
  const changes = [...plain, ...turns];
  return changes.length === 0 ? undefined : changes;
}

/** The member as it was sent. */
function shown(turn: Turn, name: keyof typeof turnNames): unknown {
  return name === 'actions' ? shownActions(turn.actions) : turn[name];
}

function changeOf(member: string, before: unknown, after: unknown): MemberChange[] {
  const isSame = before === after || JSON.stringify(before) === JSON.stringify(after);
  return isSame ? [] : [{ member, before, after }];
}
