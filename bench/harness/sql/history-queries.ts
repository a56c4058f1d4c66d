/** A query to the server, and straightforward SQL for its page and its total. */
export type PlainQuery = { name: string; path: string; page: string; total: string };

const columns = 'o.*, x.message, x.comment, t.name';
const joined = `occurrences o join texts x on x.tenant_id = o.tenant_id and x.id = o.text_id
  join tags t on t.tenant_id = o.tenant_id and t.id = o.tag_id`;

function histories(name: string, query: string, where: string, offset = 0): PlainQuery {
  return {
    name,
    path: `histories?${query}`,
    page: `select ${columns} from ${joined} where o.tenant_id = 1 and ${where} order by o.id desc offset ${offset} limit 10`,
    total: `select count(*) as total from ${joined} where o.tenant_id = 1 and ${where}`,
  };
}

function statistics(name: string, period: Period): PlainQuery {
  const where = `o.tenant_id = 1 and ${between(period)}`;
  return {
    name,
    path: `statistics?${query(period)}`,
    page: `select o.tag_id, count(*), sum(extract(epoch from coalesce(o.reset_at, now()) - o.raised_at)) from occurrences o
      where ${where} group by o.tag_id order by o.tag_id limit 10`,
    total: `select count(distinct o.tag_id) as total from occurrences o where ${where}`,
  };
}

function interventions(name: string, period: Period): PlainQuery {
  const where = `o.tenant_id = 1 and o.ack_user_id > 0 and ${between(period)}`;
  return {
    name,
    path: `interventions?${query(period)}`,
    page: `select o.ack_user_id, count(*), avg(o.acknowledged_at - o.raised_at), avg(o.reset_at - o.acknowledged_at)
      from occurrences o where ${where} group by o.ack_user_id order by o.ack_user_id limit 10`,
    total: `select count(distinct o.ack_user_id) as total from occurrences o where ${where}`,
  };
}

/** The key figures. Plain SQL counts the alarms of each ten minutes, and all of them. */
function kpis(name: string, period: Period, filter = '', where = 'true'): PlainQuery {
  const own = `o.tenant_id = 1 and ${between(period)} and ${where}`;
  return {
    name,
    path: `kpis?${query(period)}${filter}`,
    page: `select date_bin('10 minutes', o.raised_at, '2000-01-01'), count(*) from ${joined} where ${own} group by 1`,
    total: `select count(*) as total from ${joined} where ${own}`,
  };
}

type Period = { from: string; to: string };

// A calendar month and twelve of them, and a year that begins and ends anywhere, as a plant in France asks for them; and a
// month in India, where clocks are half an hour beside those of the sums.
const month: Period = { from: '2026-03-01T00:00:00+01:00', to: '2026-04-01T00:00:00+02:00' };
const year: Period = { from: '2025-09-01T00:00:00+02:00', to: '2026-09-01T00:00:00+02:00' };
const oddYear: Period = { from: '2025-08-17T00:00:00+02:00', to: '2026-08-17T00:00:00+02:00' };

const indianMonth: Period = { from: '2026-03-01T00:00:00+05:30', to: '2026-04-01T00:00:00+05:30' };

const query = ({ from, to }: Period) => `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`;
const between = ({ from, to }: Period) => `o.raised_at >= '${from}' and o.raised_at < '${to}'`;

/** The past that is asked about: its occurrences, evenly over the months. */
export type AskedPast = { occurrences: number; months: number };

export function plainQueries(past: AskedPast): PlainQuery[] {
  const half = Math.floor(past.occurrences / 2);
  return [
    histories('first page', '', 'true'),
    histories('page at half of the total', `offset=${half}`, 'true', half),
    histories('station', 'stationId=3', 'x.station_id = 3'),
    histories('data server', 'dataServerId=7', 'x.data_server_id = 7'),
    histories('tag group with sub-groups', 'tagGroupId=4', 'x.tag_group_id in (select tag_group_subtree(4))'),
    histories('call group', 'callGroupId=9', 'x.call_group_ids @> array[9::bigint]'),
    histories('user', 'userId=105', 'o.ack_user_id = 105'),
    histories('one month', query(month), between(month)),
    histories('one year', query(year), between(year)),
    histories(
      'search of a rare word',
      'search=cavitation',
      "x.search_text like '%' || chr(1) || 'cavitation%'",
    ),
    histories(
      'search of a frequent word',
      'search=tripped',
      "x.search_text like '%' || chr(1) || 'tripped%'",
    ),
    ...deepPages(past),
    statistics('statistics of a month', month),
    statistics('statistics of a month in India', indianMonth),
    statistics('statistics of a year', year),
    statistics('statistics of an odd year', oddYear),
    interventions('interventions of a month', month),
    interventions('interventions of a month in India', indianMonth),
    interventions('interventions of a year', year),
    interventions('interventions of an odd year', oddYear),
    kpis('key figures of a month', month),
    kpis('key figures of a month in India', indianMonth),
    kpis('key figures of a year', year),
    kpis('key figures of an odd year', oddYear),
    kpis('key figures of a station and a month', month, '&stationId=3', 'x.station_id = 3'),
  ];
}

/** Pages in the middle of what a filter finds. */
function deepPages({ occurrences, months }: AskedPast): PlainQuery[] {
  const halfOf = (share: number) => Math.floor((occurrences * share) / 2);
  const deep = (name: string, query: string, where: string, share: number) =>
    histories(`${name}, half-way`, `${query}&offset=${halfOf(share)}`, where, halfOf(share));
  return [
    deep('station', 'stationId=3', 'x.station_id = 3', 1 / 10),
    deep('tag group', 'tagGroupId=4', 'x.tag_group_id in (select tag_group_subtree(4))', 1 / 10),
    deep(
      'search of a word',
      'search=%22pump%201%22',
      "x.search_text like '%' || chr(1) || 'pump ' || chr(1) || '1%'",
      1 / 5,
    ),
    deep('user', 'userId=105', 'o.ack_user_id = 105', 0.8 / 30),
    deep(
      'station and year',
      `stationId=3&${query(year)}`,
      `x.station_id = 3 and ${between(year)}`,
      12 / months / 10,
    ),
  ];
}
