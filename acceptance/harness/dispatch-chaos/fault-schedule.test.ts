import { expect, test } from 'vitest';
import { chaosSize } from './chaos-size.ts';
import { describeFault, faultSchedule } from './fault-schedule.ts';

const size = chaosSize({});
const schedules = size.seeds.map((seed) => faultSchedule(seed, size));

test('the runs of a build server are twenty', () => {
  expect(size.seeds).toHaveLength(20);
});

test.each(schedules.map((schedule, index) => [size.seeds[index], schedule] as const))(
  'seed %i kills a dispatcher, stops another past its lease and makes the company ill',
  (_, schedule) => {
    const stopped = schedule.find(({ kind }) => kind === 'stop-dispatcher');
    expect(stopped?.seconds).toBeGreaterThan(10);
    expect(schedule.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['kill-dispatcher', 'ill-company']),
    );
    expect(schedule.some(({ kind }) => kind === 'lose-database' || kind === 'kill-api')).toBe(true);
  },
);

test('over all seeds each fault happens, and each illness of the company, several times', () => {
  const faults = schedules.flat();
  const kinds = Map.groupBy(faults, ({ kind }) => kind);
  expect(new Set(kinds.keys())).toEqual(
    new Set(['ill-company', 'kill-api', 'kill-dispatcher', 'lose-database', 'stop-dispatcher']),
  );
  const illnesses = Map.groupBy(kinds.get('ill-company') ?? [], describeFault);
  expect(illnesses.size).toBe(7);
  for (const some of [...kinds.values(), ...illnesses.values()])
    expect(some.length).toBeGreaterThanOrEqual(2);
});

test('a seed always brings the same faults', () => {
  expect(faultSchedule(4, size)).toEqual(faultSchedule(4, size));
  expect(faultSchedule(4, size)).not.toEqual(faultSchedule(5, size));
});
