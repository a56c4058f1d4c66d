import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from './paging.ts';
import { Id, OffsetDateTime } from './primitives.ts';

export const reachedValues = ['all', 'part', 'none', 'untested'] as const;

export const mediumTestStates = [
  'untested',
  'sending',
  'sent',
  'delivered',
  'answered',
  'confirmed',
  'failed',
] as const;

/** The last test of one medium of a person. */
const MediumReachability = Type.Object(
  {
    medium: Type.String(),
    address: Type.String(),
    state: Type.Enum([...mediumTestStates], {
      description:
        '`sent`: the provider has the message. `answered`: somebody or a voice mail picked up and did not confirm. Only `confirmed` and `delivered` count as reached.',
    }),
    reason: Type.String({ description: 'Why the person was not reached, in plain words; may be empty.' }),
    testTime: Type.Optional(OffsetDateTime),
    stateTime: Type.Optional(OffsetDateTime),
    confirmedBy: Type.Optional(Type.Enum(['key', 'reply', 'link', 'interface'])),
  },
  { title: 'MediumReachability' },
);

export const UserReachability = Type.Object(
  {
    userId: Id,
    user: Type.String(),
    reached: Type.Enum([...reachedValues], {
      description: 'By which of the enabled media, at the last test.',
    }),
    testing: Type.Boolean({ description: 'Whether a test is under way.' }),
    media: Type.Array(MediumReachability),
  },
  { title: 'UserReachability' },
);
export type UserReachability = Static<typeof UserReachability>;
export const UserReachabilityPage = pageOf(UserReachability, 'UserReachabilityPage');

export const ListReachability = Type.Object(
  {
    offset: PagingQuery.offset,
    limit: PagingQuery.limit,
    sort: PagingQuery.sort,
    reached: Type.Optional(Type.Enum([...reachedValues])),
  },
  { title: 'ListReachability' },
);

const maxShiftMinutes = 1_440;

/** When people are tested without being asked. */
export const ReachabilitySettings = Type.Object(
  {
    everyDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 90,
        description: 'Days between two tests of a person; absent: none.',
      }),
    ),
    at: Type.Optional(
      Type.String({
        pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
        description: 'When the tests of a day begin, by the clock of the station; `10:00` at first.',
      }),
    ),
    beforeShiftMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxShiftMinutes,
        description: 'Test people so long before their duty begins, instead of reminding them; absent: not.',
      }),
    ),
  },
  { title: 'ReachabilitySettings' },
);

export const ShiftReminderMinutes = Type.Integer({
  minimum: 0,
  maximum: maxShiftMinutes,
  description: 'Remind people so long before their duty begins; 0 for never, which holds at first.',
});
