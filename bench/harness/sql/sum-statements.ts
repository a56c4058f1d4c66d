/** Plain SQL for the sums of histories and for the alarm in the journal. */

export const quoted = (text: unknown) => `'${String(text).replaceAll("'", "''")}'`;

/** Adds one occurrence of today for each row; a tag must not occur twice. */
export function occurrenceSums(
  tenant: string,
  { tag, text, rows }: { tag: string; text: string; rows: string },
): { totals: string; years: string; months: string } {
  const today = new Date();
  const year = today.getUTCFullYear();
  const month = today.getUTCMonth();
  const day = today.getUTCDate();
  const on = (amount: string, zero: string) =>
    `array_fill(${zero}, array[${day - 1}]) || ${amount} || array_fill(${zero}, array[${31 - day}])`;
  return {
    totals: `insert into text_totals as kept select ${tenant}, ${text}, 1 from ${rows}
      on conflict (tenant_id, text_id) do update set occurrences = kept.occurrences + 1`,
    years: `insert into tag_years as kept select ${tenant}, ${year}, ${tag}, ${1 << month} from ${rows}
      on conflict (tenant_id, year, tag_id) do update set months = kept.months | excluded.months
      where kept.months & excluded.months = 0`,
    months: `insert into text_months as kept select ${tenant}, ${year * 12 + month}, ${tag}, ${text}, 1, 0,
        ${on('1', '0')}, ${on('0::bigint', '0::bigint')} from ${rows}
      on conflict (tenant_id, month, tag_id, text_id) do update set
        occurrences = kept.occurrences + 1, seconds = kept.seconds + excluded.seconds,
        occurrences_by_day[${day}] = kept.occurrences_by_day[${day}] + 1,
        seconds_by_day[${day}] = kept.seconds_by_day[${day}] + excluded.seconds`,
  };
}

/** The alarm in the journal. Colons are inserted by SQL, because pgbench reads `:word` as a variable. */
export function alarmJson(example: Record<string, unknown>): string {
  const alarm = {
    id: 4_711,
    dataServerId: 1,
    path: example['path'],
    fullPath: `DataServer\\${String(example['path'])}`,
    name: example['path'],
    localizedName: example['path'],
    value: '42',
    message: example['alarmMessage'],
    resetMessage: example['resetMessage'],
    ackMessage: example['ackMessage'],
    priority: 2,
    state: 2,
    masked: false,
    alarmTime: '2026-04-29T09:07:42+02:00',
    lastChange: '2026-04-29T07:07:42',
    ackUser: '',
    attachedFile: '',
    resetAttachedFile: '',
    ackAttachedFile: '',
    comment: '',
  };
  return `replace(${quoted(JSON.stringify(alarm).replaceAll(':', '~'))}, '~', chr(58))::json`;
}
