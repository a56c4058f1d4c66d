import type { AlarmAction, TagItem } from '@tocsin/contract';
import type { TagDefinition } from '../alarms/decide/alarm-record.ts';
import { definitionDigest } from '../alarms/decide/definition-change.ts';
import { scenarioIdsOf } from '../plant/action.wire.ts';
import { shownActions } from '../plant/command-grant.ts';
import type { ListedTag } from './tag-list.store.ts';

export function toTagItem({ record, tagGroup, hasGuidance }: ListedTag): TagItem {
  const { tagId, definition, stationName, dataServerName } = record;
  const { path, priority, stationId, dataServerId, tagGroupId, alarmDelay } = definition;
  return {
    id: tagId,
    path,
    fullPath: `${dataServerName}\\${path}`,
    priority,
    stationId,
    station: stationName,
    dataServerId,
    dataServer: dataServerName,
    tagGroupId: tagGroupId ?? 0,
    tagGroup,
    scenarioId: scenarioOf(definition),
    alarmDelay,
    alarmMessage: definition.alarm.message,
    resetMessage: definition.reset.message,
    ackMessage: definition.ack.message,
    hasGuidance,
    version: definitionDigest(definition),
  };
}

/** The first scenario that the tag names itself; 0 for none. */
export function scenarioOf({ alarm }: TagDefinition): number {
  return scenarioIdsOf(alarm.actions)[0] ?? 0;
}

/** The actions with this scenario instead of those that they name; 0 removes them. */
export function withScenario({ alarm }: TagDefinition, scenarioId: number): AlarmAction[] {
  const others = shownActions(alarm.actions).filter(({ type }) => type !== 'Scenario');
  return scenarioId === 0 ? others : [...others, { type: 'Scenario', id: scenarioId }];
}
