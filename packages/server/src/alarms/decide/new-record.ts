import type { References } from '../../escalations/references.ts';
import type { AlarmBatch } from './alarm-batch.ts';
import { placeKey } from './alarm-batch.ts';
import { type PostCommand, tagOwnerOf } from './alarm-command.ts';
import { newDefinition } from './alarm-definition.ts';
import type { AlarmRecord, AlarmStatus } from './alarm-record.ts';
import { generatedFolder, isProvisional } from './tag-rights.ts';

/** The record of a new tag. Without a path it gets one that is made from its id. */
export function newRecord(
  batch: AlarmBatch,
  references: References,
  { body, isPathInUse, actor }: PostCommand,
): AlarmRecord {
  batch.counters.tagId += 1;
  const tagId = batch.counters.tagId;
  const dataServerId = body.dataServerId || references.firstDataServerId;
  const stationId = body.stationId || homeStation(references, dataServerId);
  const path = body.path || `${generatedFolder}${tagId}${isPathInUse ? '.1' : ''}`;
  batch.tagIds.set(placeKey({ dataServerId, path }), tagId);
  return {
    tagId,
    definition: newDefinition({ stationId, dataServerId, path }),
    status: newStatus(batch.now),
    createdBy: tagOwnerOf(actor),
    provisional: isProvisional(actor, { dataServerId, path }),
    timeZone: 'UTC',
    stationName: '',
    dataServerName: references.dataServerNames.get(dataServerId) ?? '',
    autoAcknowledge: false,
    scenarioCallGroups: new Map(),
    groupCallGroupIds: [],
  };
}

/** The station of a tag whose posts name none. */
export function homeStation(
  { dataServerStations, firstStationId }: References,
  dataServerId: number,
): number {
  return dataServerStations.get(dataServerId) ?? firstStationId;
}

function newStatus(now: Date): AlarmStatus {
  return {
    state: 0,
    value: '',
    location: null,
    raisedAt: now,
    lastChange: now,
    occurrenceId: 0,
    repeats: 0,
    ackUser: '',
    comment: '',
    maskUntil: null,
    maskReason: null,
    maskBy: null,
    raisedBy: null,
  };
}
