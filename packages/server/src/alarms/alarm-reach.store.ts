/**
 * What an alarm reaches through its actions, as SQL over a row `t` of `tags`. Fragments rather than functions of
 * the database: those would be planned again at every call, which costs more than the whole rest of a raise.
 */

/** Without actions of its own an alarm follows the scenario of its tag group. */
const groupScenario = `(select g.scenario_id from tag_groups g
  where t.alarm_actions = '[]' and g.tenant_id = t.tenant_id and g.id = t.tag_group_id)`;

/** The scenarios an alarm follows: those its actions name, or that of its tag group. */
export const scenariosOfTag = `(t.scenario_ids || ${groupScenario})`;

/** The call groups an alarm's actions name, directly or through its scenarios. */
export const callGroupsOfTag = `(case
  when t.scenario_ids = '{}' and (t.alarm_actions <> '[]' or t.tag_group_id is null) then t.call_group_ids
  else array(
    select unnest(t.call_group_ids)
    union
    select unnest(c.call_group_ids) from scenarios c
    where c.tenant_id = t.tenant_id and c.id = any (${scenariosOfTag}))
  end)`;
