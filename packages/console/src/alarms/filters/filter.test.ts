import { expect, test } from 'vitest';
import { type AlarmRow, toRow } from '../alarm-row.ts';
import { type AlarmFilter, isSameFilter, matcherOf, parseFilter, writeFilter } from './filter.ts';

const filters: readonly AlarmFilter[] = [
  {},
  { state: 'waiting' },
  { masked: 'only' },
  { search: '"pump 3" & 50 % + Kläranlage', stationId: 0, areaId: 12, state: 'rtn', masked: 'shown' },
];

test.each(filters)('a saved view shows what was saved: %j', (filter) => {
  expect(parseFilter(writeFilter(filter))).toMatchObject(filter);
  expect(isSameFilter(parseFilter(writeFilter(filter)), filter)).toBe(true);
});

test('views that show different alarms are different', () => {
  expect(new Set(filters.map(writeFilter)).size).toBe(filters.length);
});

test('a view with members that the console does not know shows what it understands', () => {
  expect(writeFilter(parseFilter('?color=red&state=new&areaId=minus'))).toBe('?state=new');
});

/** An alarm of the chlorination of Valmont, with a comment. */
const chlorine = toRow(
  {
    id: 1,
    priority: 1,
    state: 3,
    masked: false,
    message: 'Chlorine residual low-low',
    name: 'CL201',
    localizedName: 'Residual chlorine',
    fullPath: 'PLC-VAL\\Chlor.CL201.LL',
    comment: 'Échantillon en route',
    alarmTime: '2026-11-15T03:12:08+01:00',
    lastChange: '2026-11-15T02:12:08',
  } as AlarmRow['alarm'],
  { area: 'Chlorination', station: 'Valmont works', stationId: 1, areaId: 4 } as NonNullable<
    AlarmRow['context']
  >,
);

test.each([
  'chlor low',
  '"residual low"',
  'cl201',
  'plc-val',
  'valmont',
  'echantillon',
  'chlorination works',
])('the search for %s finds message, tag, station, area and comment', (search) =>
  expect(matcherOf({ search })(chlorine)).toBe(true),
);

test.each(['esidual', 'chlorine pump', '"low residual"'])('the search for %s finds nothing', (search) => {
  expect(matcherOf({ search })(chlorine)).toBe(false);
});
