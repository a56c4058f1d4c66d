/**
 * The scenarios and call groups of an alarm's actions, as SQL over a row `t` of `tags`. Fragments instead of functions of
 * the database, which would be planned again at every call; that costs more than the rest of a raise.
 */

/** The rule of `callsByItself` in `decide/alarm-reach.ts`. */
const callsByItself = `(t.call_group_ids <> '{}' or t.scenario_ids <> '{}'
  or (t.alarm_actions || t.reset_actions || t.ack_actions) @? '$[*] ? (@.type == "CallUser" && @.id > 0)')`;

/** An alarm without calling actions of its own follows the scenario of its tag group. */
const groupScenario = `(select g.scenario_id from tag_groups g
  where not ${callsByItself} and g.tenant_id = t.tenant_id and g.id = t.tag_group_id)`;

/** The scenarios an alarm follows: those its actions name, or that of its tag group. */
export const scenariosOfTag = `(t.scenario_ids || ${groupScenario})`;

/** The call groups an alarm's actions name, directly or through its scenarios. */
export const callGroupsOfTag = `(case
  when t.scenario_ids = '{}' and (t.call_group_ids <> '{}' or t.tag_group_id is null) then t.call_group_ids
  else array(
    select unnest(t.call_group_ids)
    union
    select unnest(c.call_group_ids) from scenarios c
    where c.tenant_id = t.tenant_id and c.id = any (${scenariosOfTag}))
  end)`;
