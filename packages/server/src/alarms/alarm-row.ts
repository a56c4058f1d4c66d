import type { Action, Location } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { callGroupIdsOf, scenarioIdsOf } from '../plant/action.wire.ts';
import { restoredActions } from '../plant/command-grant.ts';
import type { Column } from '../postgres/row-source.ts';
import { keptLocation } from './alarm-definition.ts';
import type { AlarmRecord, TagDefinition, Turn } from './alarm-record.ts';

type TurnColumns<Prefix extends string> = {
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
} & TurnColumns<'alarm'> &
  TurnColumns<'reset'> &
  TurnColumns<'ack'>;

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

/** What is joined to them. */
type SurroundingsRow = {
  time_zone: string;
  data_server_name: string;
  auto_acknowledge: boolean | null;
  /** Absent where only what is shown is read. */
  scenario_call_groups?: Record<string, number[]> | null;
  group_call_group_ids?: number[] | null;
};

export type RecordRow = TagRow & AlarmRow & SurroundingsRow;

/** Everything of a record in one row: of tag `t`, alarm `a`, station `s`, data server `d` and tag group `g`. */
export const recordColumns = 't.*, a.*, s.time_zone, d.name as data_server_name, g.auto_acknowledge';

export function recordOf(row: RecordRow): AlarmRecord {
  return {
    tagId: row.tag_id,
    definition: definitionOf(row),
    standing: {
      state: row.state,
      value: row.value,
      location: row.location && keptLocation(row.location),
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
    },
    createdBy: row.created_by,
    provisional: row.provisional,
    timeZone: row.time_zone,
    dataServerName: row.data_server_name,
    autoAcknowledge: row.auto_acknowledge ?? false,
    scenarioCallGroups: new Map(
      Object.entries(row.scenario_call_groups ?? {}).map(([id, ids]) => [Number(id), ids]),
    ),
    groupCallGroupIds: row.group_call_group_ids ?? [],
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
    alarm: turnOf(row, 'alarm'),
    reset: turnOf(row, 'reset'),
    ack: turnOf(row, 'ack'),
  };
}

function turnOf(row: TagRow, prefix: 'alarm' | 'reset' | 'ack'): Turn {
  return {
    message: row[`${prefix}_message`],
    format: row[`${prefix}_format`],
    shortMessage: row[`${prefix}_short_message`],
    vocalMessageFile: row[`${prefix}_vocal_message_file`],
    attachedFile: row[`${prefix}_attached_file`],
    // jsonb sorts members; in our own order equal definitions compare equal.
    actions: restoredActions(row[`${prefix}_actions`]),
  };
}

/** The row of `tags` that keeps a record's definition, with what filters need spelled out. */
export const tagColumns: Column<AlarmRecord>[] = [
  { name: 'id', type: 'bigint', of: ({ tagId }) => tagId },
  { name: 'station_id', type: 'bigint', of: ({ definition }) => definition.stationId },
  { name: 'data_server_id', type: 'bigint', of: ({ definition }) => definition.dataServerId },
  { name: 'tag_group_id', type: 'bigint', of: ({ definition }) => definition.tagGroupId },
  { name: 'path', type: 'text', of: ({ definition }) => definition.path },
  { name: 'name', type: 'text', of: ({ definition }) => definition.name },
  { name: 'localized_name', type: 'text', of: ({ definition }) => definition.localizedName },
  { name: 'priority', type: 'bigint', of: ({ definition }) => definition.priority },
  { name: 'temporary', type: 'boolean', of: ({ definition }) => definition.temporary },
  { name: 'condition_value', type: 'text', of: ({ definition }) => definition.conditionValue },
  { name: 'transitory', type: 'boolean', of: ({ definition }) => definition.transitory },
  { name: 'reactivatable', type: 'boolean', of: ({ definition }) => definition.reactivatable },
  { name: 'resettable', type: 'boolean', of: ({ definition }) => definition.resettable },
  { name: 'alarm_delay', type: 'bigint', of: ({ definition }) => definition.alarmDelay },
  { name: 'created_by', type: 'text', of: ({ createdBy }) => createdBy },
  { name: 'provisional', type: 'boolean', of: ({ provisional }) => provisional },
  ...turnColumns('alarm'),
  ...turnColumns('reset'),
  ...turnColumns('ack'),
  { name: 'call_group_ids', type: 'text', as: 'bigint[]', of: idsIn(callGroupIdsOf) },
  { name: 'scenario_ids', type: 'text', as: 'bigint[]', of: idsIn(scenarioIdsOf) },
  {
    name: 'search_text',
    type: 'text',
    of: ({ definition: { path, name, alarm } }) => searchText([path, name, alarm.message]),
  },
];

function turnColumns(turn: 'alarm' | 'reset' | 'ack'): Column<AlarmRecord>[] {
  const text = (column: string, of: (said: Turn) => string): Column<AlarmRecord> => ({
    name: `${turn}_${column}`,
    type: 'text',
    of: ({ definition }) => of(definition[turn]),
  });
  return [
    text('message', ({ message }) => message),
    text('format', ({ format }) => format),
    text('short_message', ({ shortMessage }) => shortMessage),
    text('vocal_message_file', ({ vocalMessageFile }) => vocalMessageFile),
    text('attached_file', ({ attachedFile }) => attachedFile),
    {
      ...text('actions', ({ actions }) => (actions.length === 0 ? '[]' : JSON.stringify(actions))),
      as: 'jsonb',
    },
  ];
}

/** An array of PostgreSQL, written out, of what a tag's actions name. */
function idsIn(idsOf: (actions: readonly Action[]) => number[]): (record: AlarmRecord) => string {
  return ({ definition: { alarm, reset, ack } }) => {
    if (alarm.actions.length + reset.actions.length + ack.actions.length === 0) return '{}';
    return `{${idsOf([...alarm.actions, ...reset.actions, ...ack.actions]).join(',')}}`;
  };
}

/** The row of `alarms` that keeps a record's standing. */
export const alarmColumns: Column<AlarmRecord>[] = [
  { name: 'tag_id', type: 'bigint', of: ({ tagId }) => tagId },
  { name: 'state', type: 'integer', of: ({ standing }) => standing.state },
  { name: 'value', type: 'text', of: ({ standing }) => standing.value },
  {
    name: 'location',
    type: 'text',
    as: 'jsonb',
    of: ({ standing: { location } }) => location && JSON.stringify(location),
  },
  { name: 'raised_at', type: 'timestamptz', of: ({ standing }) => standing.raisedAt },
  { name: 'last_change', type: 'timestamptz', of: ({ standing }) => standing.lastChange },
  { name: 'occurrence_id', type: 'bigint', of: ({ standing }) => standing.occurrenceId },
  { name: 'repeats', type: 'integer', of: ({ standing }) => standing.repeats },
  { name: 'ack_user', type: 'text', of: ({ standing }) => standing.ackUser },
  { name: 'comment', type: 'text', of: ({ standing }) => standing.comment },
  {
    name: 'search_text',
    type: 'text',
    of: ({ standing: { comment } }) => (comment === '' ? '' : searchText([comment])),
  },
  { name: 'mask_until', type: 'timestamptz', of: ({ standing }) => standing.maskUntil },
  { name: 'mask_reason', type: 'text', of: ({ standing }) => standing.maskReason },
  { name: 'mask_by', type: 'text', of: ({ standing }) => standing.maskBy },
  { name: 'raised_by', type: 'text', of: ({ standing }) => standing.raisedBy },
];
