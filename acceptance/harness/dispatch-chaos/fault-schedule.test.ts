import { expect, test } from 'vitest';
import { chaosSize } from './chaos-size.ts';
import { faultSchedule } from './fault-schedule.ts';

const size = chaosSize({});
const schedules = size.seeds.map((seed) => faultSchedule(seed, size));

test('the runs of a build server are twenty', () => {
  expect(size.seeds).toHaveLength(20);
});

test.each(schedules.map((schedule, index) => [size.seeds[index], schedule] as const))(
  'seed %i kills a dispatcher, stops another past its lease and makes the company faulty',
  (_, schedule) => {
    const stopped = schedule.find(({ kind }) => kind === 'stop-dispatcher');
    expect(stopped?.seconds).toBeGreaterThan(10);
    expect(schedule.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['kill-dispatcher', 'company-fault']),
    );
    expect(schedule.some(({ kind }) => kind === 'lose-database' || kind === 'kill-api')).toBe(true);
  },
);

test('over all seeds each fault happens, and each fault of each company and of both, several times', () => {
  const faults = schedules.flat();
  const kinds = Map.groupBy(faults, ({ kind }) => kind);
  expect(new Set(kinds.keys())).toEqual(
    new Set(['company-fault', 'kill-api', 'kill-dispatcher', 'lose-database', 'stop-dispatcher']),
  );
  const ofCompanies = faults.filter((fault) => fault.kind === 'company-fault');
  const companyFaults = Map.groupBy(ofCompanies, (fault) => JSON.stringify(fault.faults));
  const media = Map.groupBy(ofCompanies, (fault) => fault.media.join());
  expect(companyFaults.size).toBe(7);
  expect(new Set(media.keys())).toEqual(new Set(['Voice', 'Sms', 'Voice,Sms']));
  for (const some of [...kinds.values(), ...companyFaults.values(), ...media.values()])
    expect(some.length).toBeGreaterThanOrEqual(2);
});

test('a seed always brings the same faults', () => {
  expect(faultSchedule(4, size)).toEqual(faultSchedule(4, size));
  expect(faultSchedule(4, size)).not.toEqual(faultSchedule(5, size));
});
