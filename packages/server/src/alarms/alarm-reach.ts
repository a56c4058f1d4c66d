import { callGroupIdsOf, scenarioIdsOf } from '../plant/action.wire.ts';
import type { AlarmRecord } from './alarm-record.ts';

/**
 * The call groups that an alarm's actions name, directly or through scenarios. Without actions of its own an alarm
 * follows the scenario of its tag group.
 */
export function callGroupsOf({ definition, scenarioCallGroups, groupCallGroupIds }: AlarmRecord): number[] {
  const { alarm, reset, ack } = definition;
  const throughGroup = alarm.actions.length === 0 ? groupCallGroupIds : [];
  const actions = [...alarm.actions, ...reset.actions, ...ack.actions];
  // Most alarms reach nobody, and each asks.
  if (actions.length + throughGroup.length === 0) return [];
  const throughScenarios = scenarioIdsOf(actions).flatMap((id) => scenarioCallGroups.get(id) ?? []);
  const all = new Set([...callGroupIdsOf(actions), ...throughScenarios, ...throughGroup]);
  return [...all].toSorted((one, other) => one - other);
}
