import type { Action, Location } from '@tocsin/contract';
import { restoredActions } from '../../plant/command-grant.ts';
import { storedLocation } from '../decide/alarm-location.ts';
import type {
  AlarmRecord,
  AlarmStatus,
  OccasionDefinition,
  OccasionPrefix,
  TagDefinition,
} from '../decide/alarm-record.ts';
import { currentColumns, definedColumns } from './alarm-columns.ts';

type OccasionColumns<Prefix extends string> = {
  [Column in `${Prefix}_${'message' | 'format' | 'short_message' | 'vocal_message_file' | 'attached_file'}`]: string;
} & { [Column in `${Prefix}_actions`]: readonly Action[] };

/** A row of `tags`, by its column names. */
type TagRow = {
  id: number;
  station_id: number;
  data_server_id: number;
  tag_group_id: number | null;
  path: string;
  name: string;
  localized_name: string;
  priority: number;
  temporary: boolean;
  condition_value: string;
  transitory: boolean;
  reactivatable: boolean;
  resettable: boolean;
  alarm_delay: number;
  created_by: string | null;
  provisional: boolean;
} & OccasionColumns<'alarm'> &
  OccasionColumns<'reset'> &
  OccasionColumns<'ack'>;

/** A row of `alarms`, by its column names. */
type AlarmRow = {
  tag_id: number;
  state: number;
  value: string;
  location: Location | null;
  raised_at: Date;
  last_change: Date;
  occurrence_id: number;
  repeats: number;
  ack_user: string;
  comment: string;
  mask_until: Date | null;
  mask_reason: string | null;
  mask_by: string | null;
  raised_by: string | null;
};

/** The columns of other tables that are joined to them. */
type JoinedRow = {
  time_zone: string;
  station_name: string;
  data_server_name: string;
  auto_acknowledge: boolean | null;
  /** Absent where the record is only shown. */
  scenario_call_groups?: Record<string, number[]> | null;
  group_call_group_ids?: number[] | null;
};

export type RecordRow = TagRow & AlarmRow & JoinedRow;

const qualified = (table: string, columns: readonly { name: string }[]) =>
  columns.map(({ name }) => `${table}.${name}`);

/**
 * The columns of a record, from tag `t`, alarm `a`, station `s`, data server `d` and tag group `g`. By name, because `*` also
 * reads the columns for filters, and its prepared statements fail when a release adds a column.
 */
export const recordColumns = [
  ...qualified('t', definedColumns),
  ...qualified('a', currentColumns),
  's.time_zone',
  's.localized_name as station_name',
  'd.name as data_server_name',
  'g.auto_acknowledge',
].join(', ');

export function recordOf(row: RecordRow): AlarmRecord {
  return {
    tagId: row.tag_id,
    definition: definitionOf(row),
    status: statusOf(row),
    createdBy: row.created_by,
    provisional: row.provisional,
    timeZone: row.time_zone,
    stationName: row.station_name,
    dataServerName: row.data_server_name,
    autoAcknowledge: row.auto_acknowledge ?? false,
    scenarioCallGroups: new Map(
      Object.entries(row.scenario_call_groups ?? {}).map(([id, ids]) => [Number(id), ids]),
    ),
    groupCallGroupIds: row.group_call_group_ids ?? [],
  };
}

function statusOf(row: AlarmRow): AlarmStatus {
  return {
    state: row.state,
    value: row.value,
    location: row.location && storedLocation(row.location),
    raisedAt: row.raised_at,
    lastChange: row.last_change,
    occurrenceId: row.occurrence_id,
    repeats: row.repeats,
    ackUser: row.ack_user,
    comment: row.comment,
    maskUntil: row.mask_until,
    maskReason: row.mask_reason,
    maskBy: row.mask_by,
    raisedBy: row.raised_by,
  };
}

function definitionOf(row: TagRow): TagDefinition {
  return {
    stationId: row.station_id,
    dataServerId: row.data_server_id,
    tagGroupId: row.tag_group_id,
    path: row.path,
    name: row.name,
    localizedName: row.localized_name,
    priority: row.priority,
    temporary: row.temporary,
    conditionValue: row.condition_value,
    transitory: row.transitory,
    reactivatable: row.reactivatable,
    resettable: row.resettable,
    alarmDelay: row.alarm_delay,
    alarm: occasionOf(row, 'alarm'),
    reset: occasionOf(row, 'reset'),
    ack: occasionOf(row, 'ack'),
  };
}

function occasionOf(row: TagRow, prefix: OccasionPrefix): OccasionDefinition {
  return {
    message: row[`${prefix}_message`],
    format: row[`${prefix}_format`],
    shortMessage: row[`${prefix}_short_message`],
    vocalMessageFile: row[`${prefix}_vocal_message_file`],
    attachedFile: row[`${prefix}_attached_file`],
    // jsonb sorts members; restored to the order of the contract, equal definitions compare equal.
    actions: restoredActions(row[`${prefix}_actions`]),
  };
}
