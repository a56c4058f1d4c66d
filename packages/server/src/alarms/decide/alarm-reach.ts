import { callGroupIdsOf, hasCalls, scenarioIdsOf } from '../../plant/action.wire.ts';
import type { AlarmRecord, TagDefinition } from './alarm-record.ts';

/**
 * Whether an alarm has calling actions of its own, on any occasion. They replace all calls of its tag group's scenario;
 * sounds and programs of both are played and run.
 */
export function callsByItself({ alarm, reset, ack }: TagDefinition): boolean {
  return [alarm, reset, ack].some(({ actions }) => actions.length > 0 && hasCalls(actions));
}

/**
 * The call groups that an alarm's actions name, directly or through scenarios. An alarm without calling actions of its
 * own follows the scenario of its tag group.
 */
export function callGroupsOf({ definition, scenarioCallGroups, groupCallGroupIds }: AlarmRecord): number[] {
  const { alarm, reset, ack } = definition;
  const throughGroup = callsByItself(definition) ? [] : groupCallGroupIds;
  const actions = [...alarm.actions, ...reset.actions, ...ack.actions];
  // The usual case: an alarm that calls nobody.
  if (actions.length + throughGroup.length === 0) return [];
  const throughScenarios = scenarioIdsOf(actions).flatMap((id) => scenarioCallGroups.get(id) ?? []);
  const all = new Set([...callGroupIdsOf(actions), ...throughScenarios, ...throughGroup]);
  return [...all].toSorted((one, other) => one - other);
}
