import type { Action, Location } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { callGroupIdsOf, keptActions, scenarioIdsOf } from '../plant/action.wire.ts';
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
    },
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
    actions: keptActions(row[`${prefix}_actions`]),
  };
}

/** The row of `tags` that keeps a record's definition, with what filters need spelled out. */
export function tagRowOf(
  tenantId: number,
  { tagId, definition }: AlarmRecord,
): TagRow & Record<string, unknown> {
  const actions = [...definition.alarm.actions, ...definition.reset.actions, ...definition.ack.actions];
  return {
    tenant_id: tenantId,
    id: tagId,
    station_id: definition.stationId,
    data_server_id: definition.dataServerId,
    tag_group_id: definition.tagGroupId,
    path: definition.path,
    name: definition.name,
    localized_name: definition.localizedName,
    priority: definition.priority,
    temporary: definition.temporary,
    condition_value: definition.conditionValue,
    transitory: definition.transitory,
    reactivatable: definition.reactivatable,
    resettable: definition.resettable,
    alarm_delay: definition.alarmDelay,
    ...turnColumns(definition.alarm, 'alarm'),
    ...turnColumns(definition.reset, 'reset'),
    ...turnColumns(definition.ack, 'ack'),
    call_group_ids: callGroupIdsOf(actions),
    scenario_ids: scenarioIdsOf(actions),
    search_text: searchText([definition.path, definition.name, definition.alarm.message]),
  };
}

function turnColumns<Prefix extends string>(turn: Turn, prefix: Prefix): TurnColumns<Prefix> {
  return {
    [`${prefix}_message`]: turn.message,
    [`${prefix}_format`]: turn.format,
    [`${prefix}_short_message`]: turn.shortMessage,
    [`${prefix}_vocal_message_file`]: turn.vocalMessageFile,
    [`${prefix}_attached_file`]: turn.attachedFile,
    [`${prefix}_actions`]: turn.actions,
  } as TurnColumns<Prefix>;
}

export function alarmRowOf(
  tenantId: number,
  { tagId, standing }: AlarmRecord,
): AlarmRow & { tenant_id: number; search_text: string } {
  return {
    tenant_id: tenantId,
    tag_id: tagId,
    state: standing.state,
    value: standing.value,
    location: standing.location,
    raised_at: standing.raisedAt,
    last_change: standing.lastChange,
    occurrence_id: standing.occurrenceId,
    repeats: standing.repeats,
    ack_user: standing.ackUser,
    comment: standing.comment,
    search_text: searchText([standing.comment]),
    mask_until: standing.maskUntil,
    mask_reason: standing.maskReason,
    mask_by: standing.maskBy,
  };
}
