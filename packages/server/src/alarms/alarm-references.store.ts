import type { BareTransaction } from '../postgres/tenant-transaction.ts';

/** What a batch of commands names outside its tags. */
export type WantedReferences = {
  stationIds: ReadonlySet<number>;
  dataServerIds: ReadonlySet<number>;
  tagGroupIds: ReadonlySet<number>;
  callGroupIds: ReadonlySet<number>;
  scenarioIds: ReadonlySet<number>;
  userIds: ReadonlySet<number>;
  files: ReadonlySet<string>;
};

/** What of it exists, with what alarms need to know of it. */
export type References = {
  firstStationId: number;
  firstDataServerId: number;
  maximumMaskSeconds: number;
  timeZones: ReadonlyMap<number, string>;
  dataServerNames: ReadonlyMap<number, string>;
  /** Data server to its station, where it has one. */
  dataServerStations: ReadonlyMap<number, number>;
  tagGroups: ReadonlyMap<number, TagGroupReference>;
  /** Call group to its station; null belongs to all stations. */
  callGroups: ReadonlyMap<number, number | null>;
  /** Scenario to the call groups it names. */
  scenarios: ReadonlyMap<number, readonly number[]>;
  /** Scenario to its station; null belongs to all stations. */
  scenarioStations: ReadonlyMap<number, number | null>;
  /** User to their stations; an empty list means all of them. */
  users: ReadonlyMap<number, readonly number[]>;
  files: ReadonlySet<string>;
  /** Moves when anything changes that decides whom to call. */
  directoryVersion: number;
};

export type TagGroupReference = {
  autoAcknowledge: boolean;
  callGroupIds: readonly number[];
  /** Null belongs to all stations. */
  stationId: number | null;
};

type Row = {
  first_station_id: number;
  first_data_server_id: number;
  maximum_mask_seconds: number;
  stations: [number, string][];
  data_servers: [number, string, number | null][];
  tag_groups: [number, TagGroupReference][];
  call_groups: [number, number | null][];
  scenarios: [number, number[], number | null][];
  users: [number, number[]][];
  files: string[];
  directory_version: number;
};

const text = `
  with first as materialized (
    select (select min(id) from stations where tenant_id = $1) as station_id,
           (select min(id) from data_servers where tenant_id = $1) as data_server_id
  )
  select first.station_id as first_station_id, first.data_server_id as first_data_server_id,
    (select maximum_mask_seconds from tenants where id = $1) as maximum_mask_seconds,
    array_to_json(array(select json_build_array(id, time_zone) from stations
      where tenant_id = $1 and (id = any ($2) or id = first.station_id or id in (select d.station_id from data_servers d
        where d.tenant_id = $1 and (d.id = any ($3) or d.id = first.data_server_id))))) as stations,
    array_to_json(array(select json_build_array(id, name, station_id) from data_servers
      where tenant_id = $1 and (id = any ($3) or id = first.data_server_id))) as data_servers,
    array_to_json(array(select json_build_array(g.id, json_build_object('autoAcknowledge', g.auto_acknowledge, 'stationId', g.station_id,
        'callGroupIds', coalesce((select c.call_group_ids from scenarios c
          where c.tenant_id = $1 and c.id = g.scenario_id), '{}')))
      from tag_groups g where g.tenant_id = $1 and g.id = any ($4))) as tag_groups,
    array_to_json(array(select json_build_array(id, station_id) from call_groups
      where tenant_id = $1 and id = any ($5))) as call_groups,
    array_to_json(array(select json_build_array(id, call_group_ids, station_id) from scenarios
      where tenant_id = $1 and id = any ($6))) as scenarios,
    array_to_json(array(select json_build_array(id, station_ids) from users
      where tenant_id = $1 and id = any ($7))) as users,
    array(select name from media_files where tenant_id = $1 and name = any ($8)) as files,
    coalesce((select version from call_directories where tenant_id = $1), 0) as directory_version
  from first`;

export async function readReferences(
  { client, tenantId }: BareTransaction,
  wanted: WantedReferences,
): Promise<References> {
  const { rows } = await client.query<Row>({
    name: 'read-references',
    text,
    values: [
      tenantId,
      [...wanted.stationIds],
      [...wanted.dataServerIds],
      [...wanted.tagGroupIds],
      [...wanted.callGroupIds],
      [...wanted.scenarioIds],
      [...wanted.userIds],
      [...wanted.files],
    ],
  });
  const row = rows[0];
  if (!row) throw new Error(`tenant ${tenantId} has no references`);
  return {
    firstStationId: row.first_station_id,
    firstDataServerId: row.first_data_server_id,
    maximumMaskSeconds: row.maximum_mask_seconds,
    timeZones: new Map(row.stations),
    dataServerNames: new Map(row.data_servers.map(([id, name]) => [id, name])),
    dataServerStations: new Map(
      row.data_servers.flatMap(([id, , stationId]) => (stationId === null ? [] : [[id, stationId]])),
    ),
    tagGroups: new Map(row.tag_groups),
    callGroups: new Map(row.call_groups),
    scenarios: new Map(row.scenarios.map(([id, callGroupIds]) => [id, callGroupIds])),
    scenarioStations: new Map(row.scenarios.map(([id, , stationId]) => [id, stationId])),
    users: new Map(row.users),
    files: new Set(row.files),
    directoryVersion: row.directory_version,
  };
}
