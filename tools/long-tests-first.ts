import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Scenarios that take more than a minute and a half, and unit tests that take more than 25 seconds, longest first. */
export const longTests = [
  'scenarios/console-storm.test.ts',
  'scenarios/demo.test.ts',
  'scenarios/dispatch-stories/channels-down.test.ts',
  'scenarios/client.test.ts',
  'scenarios/hub-under-attack.test.ts',
  'scenarios/readme.test.ts',
  'scenarios/restore-drill.test.ts',
  'scenarios/console-configure-system.test.ts',
  'http/permission-matrix.test.ts',
  'history/roll-ups.property.test.ts',
  'hub/call-events/call-changes.test.ts',
  'upkeep/drop-old-months.test.ts',
  'outside/directory/directory-log-in.test.ts',
  'domain/src/testing/dispatch-simulation.test.ts',
  'channels/sip/sip.channel.test.ts',
  'http/reference-matrix.test.ts',
  'identity/sessions/login-delay.test.ts',
  'alarms/write/storm.property.test.ts',
  'hub/access/hub-access.test.ts',
];

/** Starts long tests first, so that no worker runs alone at the end. Other files keep the order of vitest. */
export class LongTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of vitest, not of an array
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one.moduleId) - rankOf(other.moduleId));
  }
}

function rankOf(file: string): number {
  const rank = longTests.findIndex((name) => file.endsWith(`/${name}`));
  return rank === -1 ? longTests.length : rank;
}
