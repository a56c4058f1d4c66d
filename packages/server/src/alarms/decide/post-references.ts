import type { RaiseAlarm } from '@tocsin/contract';
import { ProblemError, unknownReference } from '../../common/problem.ts';
import type { References } from '../../escalations/references.ts';
import { actionFaults } from '../../plant/action.wire.ts';
import type { Actor } from './alarm-command.ts';
import { filesOf } from './alarm-definition.ts';
import type { AlarmRecord } from './alarm-record.ts';
import { homeStation } from './new-record.ts';
import type { VisibleReferences } from './visible-references.ts';

/** Files that are not in the library are noted in the timeline; they never refuse the alarm. */
export function unknownFiles(references: References, { definition }: AlarmRecord): string {
  const unknown = filesOf(definition).filter((name) => !references.files.has(name));
  return unknown.length === 0 ? '' : `not in the media library: ${unknown.join(', ')}`;
}

/** The actions of the body that cannot be carried out. */
export function faultsOf(
  { callGroups, users, scenarios }: References,
  { definition: { alarm, reset, ack } }: AlarmRecord,
  { alarmActions, resetActions, ackActions }: RaiseAlarm,
): string[] {
  const sent = [alarmActions && alarm, resetActions && reset, ackActions && ack];
  const actions = sent.flatMap((occasion) => occasion?.actions ?? []);
  if (actions.length === 0) return [];
  return actionFaults(actions, { CallGroup: callGroups, CallUser: users, Scenario: scenarios });
}

/** The stations of the tag before and after the post. */
function stationsOf(
  references: References,
  { stationId, dataServerId }: RaiseAlarm,
  known: AlarmRecord | undefined,
): number[] {
  const present = known?.definition.stationId;
  const home = homeStation(references, dataServerId || references.firstDataServerId);
  return [stationId || present || home, present ?? 0].filter((id) => id > 0);
}

/** Refuses a post that names rows that do not exist or that its sender may not name. */
export function requireNamed(
  references: References,
  visible: VisibleReferences,
  { body, actor, known }: { body: RaiseAlarm; actor: Actor; known: AlarmRecord | undefined },
): void {
  // First, so that the answer does not depend on whether the station exists.
  requireStations(actor, body.stationId ? [body.stationId] : []);
  checkReferences(visible, body);
  requireStations(actor, stationsOf(references, body, known));
}

function requireStations({ name, stationIds }: Actor, named: readonly number[]): void {
  if (stationIds === undefined) return;
  const outside = named.find((id) => !stationIds.includes(id));
  if (outside !== undefined)
    throw new ProblemError('not-allowed', `${name} may not act on station ${outside}`);
}

function checkReferences({ stations, dataServers, tagGroups }: VisibleReferences, body: RaiseAlarm): void {
  const { stationId, dataServerId, tagGroupId } = body;
  if (stationId && !stations.has(stationId)) throw unknownReference('/stationId', stationId);
  if (dataServerId && !dataServers.has(dataServerId)) throw unknownReference('/dataServerId', dataServerId);
  if (tagGroupId && !tagGroups.has(tagGroupId)) throw unknownReference('/tagGroupId', tagGroupId);
}
