import type { Tag } from '@tocsin/contract';
import { formatInZone } from '@tocsin/domain';
import { toAlarm } from '../alarms/decide/alarm.wire.ts';
import type { AlarmRecord } from '../alarms/decide/alarm-record.ts';

/** What is known of a tag besides its record. */
export type TagContext = Pick<Tag, 'guidanceFrom' | 'respondSeconds'> & {
  group: string;
  reportedAt: Date | undefined;
};

export function toTag(
  record: AlarmRecord,
  { group, reportedAt, guidanceFrom, respondSeconds }: TagContext,
): Tag {
  const { definition, timeZone, stationName } = record;
  const { id, path, fullPath, name, localizedName, priority, dataServerId, value } = toAlarm(record);
  return {
    id,
    path,
    fullPath,
    name,
    localizedName,
    priority,
    stationId: definition.stationId,
    station: stationName,
    dataServerId,
    tagGroupId: definition.tagGroupId ?? 0,
    tagGroup: group,
    value,
    ...(reportedAt && { reportTime: formatInZone(timeZone, reportedAt) }),
    ...(guidanceFrom && { guidanceFrom }),
    ...(respondSeconds !== undefined && { respondSeconds }),
  };
}
