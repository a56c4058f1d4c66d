import type { BareTransaction } from '../postgres/tenant-transaction.ts';
import type { ReferencedIds, References, TagGroupReference } from './references.ts';

type Row = {
  first_station_id: number;
  first_data_server_id: number;
  maximum_mask_seconds: number;
  stations: { id: number; name: string; timeZone: string }[];
  data_servers: { id: number; name: string; stationId: number | null }[];
  tag_groups: (TagGroupReference & { id: number })[];
  call_groups: { id: number; stationId: number | null }[];
  scenarios: { id: number; callGroupIds: number[]; stationId: number | null }[];
  users: { id: number; stationIds: number[] }[];
  files: string[];
  configuration_version: number;
};

// One statement, so that all rows are of one version.
const text = `
  with first as materialized (
    select (select min(id) from stations where tenant_id = $1) as station_id,
           (select min(id) from data_servers where tenant_id = $1) as data_server_id
  )
  select first.station_id as first_station_id, first.data_server_id as first_data_server_id,
    (select maximum_mask_seconds from tenants where id = $1) as maximum_mask_seconds,
    array_to_json(array(select json_build_object('id', id, 'name', localized_name, 'timeZone', time_zone) from stations
      where tenant_id = $1 and (id = any ($2) or id = first.station_id or id in (select d.station_id from data_servers d
        where d.tenant_id = $1 and (d.id = any ($3) or d.id = first.data_server_id))))) as stations,
    array_to_json(array(select json_build_object('id', id, 'name', name, 'stationId', station_id) from data_servers
      where tenant_id = $1 and (id = any ($3) or id = first.data_server_id))) as data_servers,
    array_to_json(array(select json_build_object('id', g.id, 'autoAcknowledge', g.auto_acknowledge,
        'stationId', g.station_id, 'callGroupIds', coalesce((select c.call_group_ids from scenarios c
          where c.tenant_id = $1 and c.id = g.scenario_id), '{}'))
      from tag_groups g where g.tenant_id = $1 and g.id = any ($4))) as tag_groups,
    array_to_json(array(select json_build_object('id', id, 'stationId', station_id) from call_groups
      where tenant_id = $1 and id = any ($5))) as call_groups,
    array_to_json(array(select json_build_object('id', id, 'callGroupIds', call_group_ids, 'stationId', station_id)
      from scenarios where tenant_id = $1 and id = any ($6))) as scenarios,
    array_to_json(array(select json_build_object('id', id, 'stationIds', station_ids) from users
      where tenant_id = $1 and id = any ($7))) as users,
    array(select name from media_files where tenant_id = $1 and name = any ($8)) as files,
    coalesce((select version from configuration_versions where tenant_id = $1), 0) as configuration_version
  from first`;

export async function readReferences(
  { client, tenantId }: BareTransaction,
  ids: ReferencedIds,
): Promise<References> {
  const { rows } = await client.query<Row>({
    name: 'read-references',
    text,
    values: [
      tenantId,
      [...ids.stationIds],
      [...ids.dataServerIds],
      [...ids.tagGroupIds],
      [...ids.callGroupIds],
      [...ids.scenarioIds],
      [...ids.userIds],
      [...ids.files],
    ],
  });
  const row = rows[0];
  if (!row) throw new Error(`tenant ${tenantId} has no references`);
  return referencesOf(row);
}

function referencesOf(row: Row): References {
  return {
    firstStationId: row.first_station_id,
    firstDataServerId: row.first_data_server_id,
    maximumMaskSeconds: row.maximum_mask_seconds,
    timeZones: new Map(row.stations.map(({ id, timeZone }) => [id, timeZone])),
    stationNames: new Map(row.stations.map(({ id, name }) => [id, name])),
    dataServerNames: new Map(row.data_servers.map(({ id, name }) => [id, name])),
    dataServerStations: new Map(
      row.data_servers.flatMap(({ id, stationId }) => (stationId === null ? [] : [[id, stationId]])),
    ),
    tagGroups: new Map(row.tag_groups.map(({ id, ...group }) => [id, group])),
    callGroups: new Map(row.call_groups.map(({ id, stationId }) => [id, stationId])),
    scenarios: new Map(row.scenarios.map(({ id, callGroupIds }) => [id, callGroupIds])),
    scenarioStations: new Map(row.scenarios.map(({ id, stationId }) => [id, stationId])),
    users: new Map(row.users.map(({ id, stationIds }) => [id, stationIds])),
    files: new Set(row.files),
    configurationVersion: row.configuration_version,
  };
}
