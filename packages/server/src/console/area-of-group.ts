/**
 * The area of each tag group: its top-level group. `$1` is the tenant, `$2` the stations of the caller, null for all. The
 * groups below a top-level group that the caller may not see have no area, so their alarms belong to area 0.
 */
export const groupAreas = `
  group_areas (id, area_id, area) as (
    select g.id, g.id, g.localized_name from tag_groups g
    where g.tenant_id = $1 and g.parent_id is null
      and ($2::bigint[] is null or g.station_id is null or g.station_id = any ($2))
    union all
    select g.id, p.area_id, p.area from group_areas p join tag_groups g on g.tenant_id = $1 and g.parent_id = p.id)`;
