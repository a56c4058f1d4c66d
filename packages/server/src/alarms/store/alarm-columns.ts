import type { Action } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { callGroupIdsOf, scenarioIdsOf } from '../../plant/action.wire.ts';
import type { Column } from '../../postgres/row-source.ts';
import type {
  AlarmRecord,
  AlarmStatus,
  OccasionDefinition,
  OccasionPrefix,
  PlainMember,
} from '../decide/alarm-record.ts';

// By member, so that the compiler reports a member without a column.

type ColumnOf = Column<AlarmRecord>;

const definitionColumns: Record<PlainMember, ColumnOf> = {
  stationId: { name: 'station_id', type: 'bigint', of: ({ definition }) => definition.stationId },
  dataServerId: { name: 'data_server_id', type: 'bigint', of: ({ definition }) => definition.dataServerId },
  tagGroupId: { name: 'tag_group_id', type: 'bigint', of: ({ definition }) => definition.tagGroupId },
  path: { name: 'path', type: 'text', of: ({ definition }) => definition.path },
  name: { name: 'name', type: 'text', of: ({ definition }) => definition.name },
  localizedName: { name: 'localized_name', type: 'text', of: ({ definition }) => definition.localizedName },
  priority: { name: 'priority', type: 'bigint', of: ({ definition }) => definition.priority },
  temporary: { name: 'temporary', type: 'boolean', of: ({ definition }) => definition.temporary },
  conditionValue: {
    name: 'condition_value',
    type: 'text',
    of: ({ definition }) => definition.conditionValue,
  },
  transitory: { name: 'transitory', type: 'boolean', of: ({ definition }) => definition.transitory },
  reactivatable: { name: 'reactivatable', type: 'boolean', of: ({ definition }) => definition.reactivatable },
  resettable: { name: 'resettable', type: 'boolean', of: ({ definition }) => definition.resettable },
  alarmDelay: { name: 'alarm_delay', type: 'bigint', of: ({ definition }) => definition.alarmDelay },
};

function occasionColumns(prefix: OccasionPrefix): ColumnOf[] {
  const text = (column: string, of: (occasion: OccasionDefinition) => string): ColumnOf => ({
    name: `${prefix}_${column}`,
    type: 'text',
    of: ({ definition }) => of(definition[prefix]),
  });
  const columns: Record<keyof OccasionDefinition, ColumnOf> = {
    message: text('message', ({ message }) => message),
    format: text('format', ({ format }) => format),
    shortMessage: text('short_message', ({ shortMessage }) => shortMessage),
    vocalMessageFile: text('vocal_message_file', ({ vocalMessageFile }) => vocalMessageFile),
    attachedFile: text('attached_file', ({ attachedFile }) => attachedFile),
    actions: {
      ...text('actions', ({ actions }) => (actions.length === 0 ? '[]' : JSON.stringify(actions))),
      as: 'jsonb',
    },
  };
  return Object.values(columns);
}

/** The columns of `tags` that hold a record's definition. */
export const definedColumns: ColumnOf[] = [
  { name: 'id', type: 'bigint', of: ({ tagId }) => tagId },
  ...Object.values(definitionColumns),
  { name: 'created_by', type: 'text', of: ({ createdBy }) => createdBy },
  { name: 'provisional', type: 'boolean', of: ({ provisional }) => provisional },
  ...occasionColumns('alarm'),
  ...occasionColumns('reset'),
  ...occasionColumns('ack'),
];

/** A row of `tags`. The last columns repeat parts of the definition for filters. */
export const tagColumns: ColumnOf[] = [
  ...definedColumns,
  { name: 'call_group_ids', type: 'text', as: 'bigint[]', of: idsIn(callGroupIdsOf) },
  { name: 'scenario_ids', type: 'text', as: 'bigint[]', of: idsIn(scenarioIdsOf) },
  {
    name: 'search_text',
    type: 'text',
    of: ({ definition: { path, name, alarm } }) => searchText([path, name, alarm.message]),
  },
];

/** The ids that a tag's actions name, as the text of a PostgreSQL array. */
function idsIn(idsOf: (actions: readonly Action[]) => number[]): (record: AlarmRecord) => string {
  return ({ definition: { alarm, reset, ack } }) => {
    if (alarm.actions.length + reset.actions.length + ack.actions.length === 0) return '{}';
    return `{${idsOf([...alarm.actions, ...reset.actions, ...ack.actions]).join(',')}}`;
  };
}

const statusColumns: Record<keyof AlarmStatus, ColumnOf> = {
  state: { name: 'state', type: 'integer', of: ({ status }) => status.state },
  value: { name: 'value', type: 'text', of: ({ status }) => status.value },
  location: {
    name: 'location',
    type: 'text',
    as: 'jsonb',
    of: ({ status: { location } }) => location && JSON.stringify(location),
  },
  raisedAt: { name: 'raised_at', type: 'timestamptz', of: ({ status }) => status.raisedAt },
  lastChange: { name: 'last_change', type: 'timestamptz', of: ({ status }) => status.lastChange },
  occurrenceId: { name: 'occurrence_id', type: 'bigint', of: ({ status }) => status.occurrenceId },
  repeats: { name: 'repeats', type: 'integer', of: ({ status }) => status.repeats },
  ackUser: { name: 'ack_user', type: 'text', of: ({ status }) => status.ackUser },
  comment: { name: 'comment', type: 'text', of: ({ status }) => status.comment },
  maskUntil: { name: 'mask_until', type: 'timestamptz', of: ({ status }) => status.maskUntil },
  maskReason: { name: 'mask_reason', type: 'text', of: ({ status }) => status.maskReason },
  maskBy: { name: 'mask_by', type: 'text', of: ({ status }) => status.maskBy },
  raisedBy: { name: 'raised_by', type: 'text', of: ({ status }) => status.raisedBy },
};

/** The columns of `alarms` that hold a record's status. */
export const currentColumns: ColumnOf[] = [
  { name: 'tag_id', type: 'bigint', of: ({ tagId }) => tagId },
  ...Object.values(statusColumns),
];

/** A row of `alarms`. The last column repeats a part of the status for filters. */
export const alarmRowColumns: ColumnOf[] = [
  ...currentColumns,
  {
    name: 'search_text',
    type: 'text',
    of: ({ status: { comment } }) => (comment === '' ? '' : searchText([comment])),
  },
];
