import { type Static, Type } from 'typebox';
import { Id, OffsetDateTime, Uint } from '../primitives.ts';

const LastAlarm = Type.Object(
  { id: Id, name: Type.String(), message: Type.String(), priority: Uint, time: OffsetDateTime },
  { title: 'LastAlarm' },
);

const SourceHealth = Type.Object(
  {
    id: Id,
    name: Type.String(),
    stationId: Type.Integer({ ...Uint, description: '0: of all stations.' }),
    lastTime: Type.Optional(
      Type.String({
        ...OffsetDateTime,
        description:
          'The last change of an alarm of this data server; absent if it is not among the newest 2,000 of the plant.',
      }),
    ),
  },
  { title: 'SourceHealth' },
);

const MediumHealth = Type.Object(
  {
    medium: Type.String(),
    channels: Type.Integer({ ...Uint, description: 'Enabled channels of the medium.' }),
    down: Type.Integer({ ...Uint, description: 'Those of them that do not work.' }),
    lastCheckTime: Type.Optional(
      Type.String({ ...OffsetDateTime, description: 'The last check of one of them that succeeded.' }),
    ),
  },
  { title: 'MediumHealth' },
);

const DutyNow = Type.Object(
  {
    callGroupId: Id,
    callGroup: Type.String(),
    stationId: Type.Integer({ ...Uint, description: '0: of all stations.' }),
    why: Type.Enum(['slot', 'override', 'always', 'nobody']),
    people: Type.Array(Type.Object({ userId: Id, user: Type.String(), canBeCalled: Type.Boolean() }), {
      description: 'In calling order. Disabled users are left out.',
    }),
    until: Type.Optional(
      Type.String({ ...OffsetDateTime, description: 'Absent if nothing changes within eight days.' }),
    ),
  },
  { title: 'DutyNow' },
);
export type DutyNow = Static<typeof DutyNow>;

const EndingMask = Type.Object(
  {
    id: Type.Integer({ ...Id, description: 'The alarm.' }),
    name: Type.String(),
    message: Type.String(),
    maskedUntil: OffsetDateTime,
    maskReason: Type.String(),
    maskedBy: Type.String(),
  },
  { title: 'EndingMask' },
);

/** The proof that an empty list is empty because all is well. */
export const ConsoleHealth = Type.Object(
  {
    time: Type.String({ ...OffsetDateTime, description: "The server's clock." }),
    lastAlarm: Type.Optional(LastAlarm),
    dataServers: Type.Array(SourceHealth),
    media: Type.Array(MediumHealth, { description: 'Media that have a channel.' }),
    lastCallTestTime: Type.Optional(
      Type.String({
        ...OffsetDateTime,
        description: 'The last reachability test that was delivered to somebody, or confirmed.',
      }),
    ),
    openEscalations: Uint,
    overdueEscalations: Type.Integer({ ...Uint, description: 'Open, and due before now.' }),
    dispatchLagSeconds: Type.Integer({
      ...Uint,
      description: 'How long the oldest of them has been due; 0 if none is.',
    }),
    onDuty: Type.Optional(
      Type.Array(DutyNow, { description: 'Absent for callers without `callgroups:read`.' }),
    ),
    endingMasks: Type.Array(EndingMask, {
      description: 'Masks that end within an hour, the next first; at most 100.',
    }),
  },
  { title: 'ConsoleHealth' },
);
export type ConsoleHealth = Static<typeof ConsoleHealth>;
