/**
 * The tables that current alarms are listed from, for the `from` of a statement: `recent_alarms r` has a row for each alarm
 * `a` with a state other than 0, and some more. The tenant is that of `r`. Alarms are looked up by their key, because a plant
 * has many more at rest.
 */
export const currentAlarms = `recent_alarms r cross join lateral (
  select * from alarms a where a.tenant_id = r.tenant_id and a.tag_id = r.tag_id limit 1) a`;
