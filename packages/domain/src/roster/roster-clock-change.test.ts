import { describe, expect, test } from 'vitest';
import { weekDays } from '../testing/rosters.ts';
import { formatInZone } from '../time/date-time.ts';
import type { Roster } from './roster.ts';
import { rosterChanges } from './roster-changes.ts';

/** Team 1 until that minute of each day, then team 2. */
function twoTeams(minute: number): Roster {
  return {
    userIds: [],
    teams: [1, 2].map((id) => ({ id, userIds: [id] })),
    slots: weekDays.flatMap((day) => [
      { teamId: 1, day, startMinute: 0, endMinute: minute },
      { teamId: 2, day, startMinute: minute, endMinute: 1_440 },
    ]),
    overrides: [],
  };
}

/** The hand-overs in the hours after `from`, in local time. */
function tell(roster: Roster, zone: string, from: string, hours: number): string[] {
  const start = new Date(from);
  return rosterChanges(roster, zone, start, new Date(start.getTime() + hours * 3_600_000)).map(
    ({ startsAt, teamIds }) => `${formatInZone(zone, startsAt)} ${teamIds.join('+')}`,
  );
}

describe('a day of 23 hours', () => {
  test('a hand-over in the skipped hour takes place right after it', () => {
    expect(tell(twoTeams(150), 'Europe/Paris', '2026-03-29T00:00:00+01:00', 23)).toEqual([
      '2026-03-29T00:00:00+01:00 1',
      '2026-03-29T03:00:00+02:00 2',
    ]);
  });

  test.each([
    [120, '2026-03-29T03:00:00+02:00 2'],
    [180, '2026-03-29T03:00:00+02:00 2'],
    [195, '2026-03-29T03:15:00+02:00 2'],
    [105, '2026-03-29T01:45:00+01:00 2'],
  ])('a hand-over %i minutes past midnight is at %s', (minute, handOver) => {
    expect(tell(twoTeams(minute), 'Europe/Paris', '2026-03-29T00:00:00+01:00', 23)).toEqual([
      '2026-03-29T00:00:00+01:00 1',
      handOver,
    ]);
  });

  test('a slot within the skipped hour is skipped too', () => {
    const roster = twoTeams(180);
    const teams = [...roster.teams, { id: 3, userIds: [3] }];
    const slots = [...roster.slots, { teamId: 3, day: 7, startMinute: 120, endMinute: 180 }];
    expect(tell({ ...roster, teams, slots }, 'Europe/Paris', '2026-03-29T00:00:00+01:00', 23)).toEqual([
      '2026-03-29T00:00:00+01:00 1',
      '2026-03-29T03:00:00+02:00 2',
    ]);
  });

  test('where clocks go forward at midnight, the day begins at one o’clock and its team with it', () => {
    expect(tell(twoTeams(30), 'Asia/Beirut', '2026-03-28T22:00:00+02:00', 26)).toEqual([
      '2026-03-28T22:00:00+02:00 2',
      '2026-03-30T00:00:00+03:00 1',
      '2026-03-30T00:30:00+03:00 2',
    ]);
    expect(tell(twoTeams(720), 'Asia/Beirut', '2026-03-28T22:00:00+02:00', 26)).toEqual([
      '2026-03-28T22:00:00+02:00 2',
      '2026-03-29T01:00:00+03:00 1',
      '2026-03-29T12:00:00+03:00 2',
      '2026-03-30T00:00:00+03:00 1',
    ]);
  });
});

describe('a day of 25 hours', () => {
  test('at a hand-over in the repeated hour the next team comes at the first time, and the other goes at the last', () => {
    expect(tell(twoTeams(150), 'Europe/Paris', '2026-10-25T00:00:00+02:00', 25)).toEqual([
      '2026-10-25T00:00:00+02:00 1',
      '2026-10-25T02:30:00+02:00 1+2',
      '2026-10-25T02:30:00+01:00 2',
    ]);
  });

  test('the time to which clocks go back occurs twice, the time of the change once', () => {
    expect(tell(twoTeams(120), 'Europe/Paris', '2026-10-25T00:00:00+02:00', 25)).toEqual([
      '2026-10-25T00:00:00+02:00 1',
      '2026-10-25T02:00:00+02:00 1+2',
      '2026-10-25T02:00:00+01:00 2',
    ]);
    expect(tell(twoTeams(180), 'Europe/Paris', '2026-10-25T00:00:00+02:00', 25)).toEqual([
      '2026-10-25T00:00:00+02:00 1',
      '2026-10-25T03:00:00+01:00 2',
    ]);
  });

  test('where clocks go back from midnight, the evening is repeated and the night team comes once', () => {
    expect(tell(twoTeams(720), 'Asia/Beirut', '2026-10-24T22:00:00+03:00', 10)).toEqual([
      '2026-10-24T22:00:00+03:00 2',
      '2026-10-25T00:00:00+02:00 1',
    ]);
    expect(tell(twoTeams(1_410), 'Asia/Beirut', '2026-10-24T22:00:00+03:00', 10)).toEqual([
      '2026-10-24T22:00:00+03:00 1',
      '2026-10-24T23:30:00+03:00 1+2',
      '2026-10-24T23:30:00+02:00 2',
      '2026-10-25T00:00:00+02:00 1',
    ]);
  });
});

describe('unusual clock changes', () => {
  test('Lord Howe skips half an hour', () => {
    expect(tell(twoTeams(135), 'Australia/Lord_Howe', '2026-10-04T00:00:00+10:30', 12)).toEqual([
      '2026-10-04T00:00:00+10:30 1',
      '2026-10-04T02:30:00+11:00 2',
    ]);
  });

  test('Lord Howe repeats half an hour', () => {
    expect(tell(twoTeams(105), 'Australia/Lord_Howe', '2026-04-05T00:00:00+11:00', 12)).toEqual([
      '2026-04-05T00:00:00+11:00 1',
      '2026-04-05T01:45:00+11:00 1+2',
      '2026-04-05T01:45:00+10:30 2',
    ]);
  });

  test('Apia skipped a Friday: Thursday’s team hands over to Saturday’s', () => {
    const roster: Roster = {
      userIds: [],
      teams: weekDays.map((id) => ({ id, userIds: [id] })),
      slots: weekDays.map((day) => ({ teamId: day, day, startMinute: 0, endMinute: 1_440 })),
      overrides: [],
    };
    expect(tell(roster, 'Pacific/Apia', '2011-12-29T00:00:00-10:00', 72)).toEqual([
      '2011-12-29T00:00:00-10:00 4',
      '2011-12-31T00:00:00+14:00 6',
      '2012-01-01T00:00:00+14:00 7',
    ]);
  });

  test('Troll goes forward two hours, from one to three', () => {
    expect(tell(twoTeams(120), 'Antarctica/Troll', '2026-03-29T00:00:00+00:00', 12)).toEqual([
      '2026-03-29T00:00:00+00:00 1',
      '2026-03-29T03:00:00+02:00 2',
    ]);
  });
});
