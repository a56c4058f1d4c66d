/** One edit of a recipe: `text`, which the file has exactly once, is replaced. */
export type Place = {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly by: string;
};

/** A member that is added in all its places, and the unit tests that look for it. */
export type NewMember = {
  readonly title: string;
  readonly places: readonly Place[];
  readonly tests: readonly string[];
};

const contract = 'packages/contract/src';
const server = 'packages/server/src';

/** Adds a line behind the one that begins with `text`. */
const addLine = (name: string, file: string, text: string, line: string): Place => ({
  name,
  file,
  text,
  by: `${text}\n${line}`,
});

const alarmField: NewMember = {
  title: 'a field of an alarm',
  tests: ['alarms/definition-members'],
  places: [
    addLine(
      'the body of a post',
      `${contract}/alarms.ts`,
      "    alarmDelay: Type.Optional(Type.Integer({ ...Uint, description: 'Seconds before the first call.' })),",
      '    workOrder: Type.Optional(ShortText),',
    ),
    addLine('the detail', `${contract}/alarms.ts`, '    alarmDelay: Uint,', '    workOrder: Type.String(),'),
    addLine(
      'the column',
      'packages/server/migrations/0006_alarms.sql',
      '  alarm_delay              bigint   not null, -- seconds',
      '  work_order text not null,',
    ),
    addLine(
      'the right it needs',
      `${server}/alarms/decide/tag-rights.ts`,
      "  alarmDelay: 'define',",
      "  workOrder: 'define',",
    ),
    addLine(
      'the default',
      `${server}/alarms/decide/alarm-definition.ts`,
      '    alarmDelay: 0,',
      "    workOrder: '',",
    ),
    addLine(
      'the change by a post',
      `${server}/alarms/decide/alarm-definition.ts`,
      '    alarmDelay: body.alarmDelay ?? before.alarmDelay,',
      '    workOrder: body.workOrder ?? before.workOrder,',
    ),
    addLine(
      'the list of members',
      `${server}/alarms/decide/definition-members.ts`,
      "  alarmDelay: 'alarmDelay',",
      "  workOrder: 'workOrder',",
    ),
    addLine(
      'the written column',
      `${server}/alarms/store/alarm-columns.ts`,
      "  alarmDelay: { name: 'alarm_delay', type: 'bigint', of: ({ definition }) => definition.alarmDelay },",
      "  workOrder: { name: 'work_order', type: 'text', of: ({ definition }) => definition.workOrder },",
    ),
    addLine(
      'the row',
      `${server}/alarms/store/alarm-row.ts`,
      '  alarm_delay: number;',
      '  work_order: string;',
    ),
    addLine(
      'the read column',
      `${server}/alarms/store/alarm-row.ts`,
      '    alarmDelay: row.alarm_delay,',
      '    workOrder: row.work_order,',
    ),
    addLine(
      'the answer',
      `${server}/alarms/decide/alarm.wire.ts`,
      '    alarmDelay: definition.alarmDelay,',
      '    workOrder: definition.workOrder,',
    ),
    addLine(
      'the tests of rights: the definition',
      `${server}/alarms/testing/raise-only-key.fixture.ts`,
      '  alarmDelay: 0,',
      "  workOrder: 'W-1',",
    ),
    {
      name: 'the tests of rights: its misuse',
      file: `${server}/alarms/testing/raise-only-key.fixture.ts`,
      text: '  alarmDelay: [\n',
      by: "  workOrder: [['another work order', { workOrder: 'W-9' }]],\n  alarmDelay: [\n",
    },
    addLine(
      'the round-trip test',
      `${server}/alarms/definition-members.test.ts`,
      '  alarmDelay: 30,',
      "  workOrder: 'W-2',",
    ),
  ],
};

const medium: NewMember = {
  title: 'a medium',
  tests: ['postgres/enumerations', 'people/medium.wire'],
  places: [
    {
      name: 'the contract',
      file: `${contract}/people.ts`,
      text: "'Webhook', 'Pager'] as const",
      by: "'Webhook', 'Pager', 'Fax'] as const",
    },
    {
      name: 'the domain',
      file: 'packages/domain/src/calling/call-plan.ts',
      text: "'Webhook' | 'Pager';",
      by: "'Webhook' | 'Pager' | 'Fax';",
    },
    {
      name: 'the check in the database',
      file: 'packages/server/migrations/0011_channels_and_monitoring.sql',
      text: "'Webhook', 'Pager'))",
      by: "'Webhook', 'Pager', 'Fax'))",
    },
    addLine(
      'the form of its address',
      `${server}/people/medium.wire.ts`,
      '  Pager: readNumber,',
      '  Fax: readNumber,',
    ),
    addLine(
      'the message about a wrong address',
      `${server}/people/medium.wire.ts`,
      "  Pager: 'must be a telephone number',",
      "  Fax: 'must be a telephone number',",
    ),
  ],
};

export const newMembers: readonly NewMember[] = [alarmField, medium];
