import { type Static, Type } from 'typebox';
import { Alarm, timelineKinds } from './alarms.ts';
import { CallInProgress, TimelineCall } from './dispatch.ts';
import { alarmOccasions, Id, Uint } from './primitives.ts';

/** The position of a client in the journal of its tenant. */
export const Seq = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "Position in the tenant's journal.",
});

/** The argument of `subscribe`: the filters of `GET /alarms`, and other events to push. Identifiers of 0 are ignored. */
export const HubFilter = Type.Object(
  {
    stationId: Type.Optional(Uint),
    dataServerId: Type.Optional(Uint),
    tagGroupId: Type.Optional(Type.Integer({ ...Uint, description: 'With its sub-groups.' })),
    scenarioId: Type.Optional(
      Type.Integer({ ...Uint, description: "Named by the alarm's actions, or by its tag group." }),
    ),
    callGroupId: Type.Optional(
      Type.Integer({ ...Uint, description: "Named by the alarm's actions, directly or through a scenario." }),
    ),
    alarmState: Type.Optional(
      Type.Integer({ ...Uint, description: 'Exact match on bits 0 and 1 of the state.' }),
    ),
    inactiveMasked: Type.Optional(
      Type.Integer({
        ...Uint,
        description: 'Accepted and without effect: masked alarms are never pushed as new.',
      }),
    ),
    search: Type.Optional(
      Type.String({
        maxLength: 1_024,
        description: 'Words that must all occur; "a phrase" in quotes; case and accents are ignored.',
      }),
    ),
    changes: Type.Optional(Type.Boolean({ description: 'Whether to push `onAlarmChanged` too.' })),
    calls: Type.Optional(
      Type.Boolean({
        description: 'Whether to push `onCallChanged` too; the token must permit to read calls.',
      }),
    ),
    sounds: Type.Optional(Type.Boolean({ description: 'Whether to push `onPlaySound` too.' })),
  },
  { title: 'HubFilter' },
);
export type HubFilter = Static<typeof HubFilter>;

export const AfterSeq = Type.Union([Seq, Type.Null()], {
  title: 'AfterSeq',
  description: 'The last `seq` that the client has; null returns the present one and replays nothing.',
});

/** The answer of `subscribe` and `resume`. */
export const Resumed = Type.Object(
  {
    seq: Seq,
    gap: Type.Optional(
      Type.Literal(true, {
        description:
          'What was missed is no longer kept: read `GET /alarms` again. Pushing goes on after `seq`.',
      }),
    ),
    oldest: Type.Optional(Type.Integer({ ...Seq, description: 'The oldest `seq` in the journal.' })),
  },
  { title: 'Resumed' },
);
export type Resumed = Static<typeof Resumed>;

export const AlarmChange = Type.Object(
  { seq: Seq, kind: Type.Enum([...timelineKinds]), alarm: Alarm },
  { title: 'AlarmChange' },
);
export type AlarmChange = Static<typeof AlarmChange>;

/** The outcome of an attempt, or `closed`: the call has ended. */
export const callChangeKinds = [
  'queued',
  'calling',
  'accepted',
  'ringing',
  'delivered',
  'answered',
  'acknowledged',
  'declined',
  'busy',
  'no-answer',
  'refused',
  'failed',
  'unknown',
  'cancelled',
  'closed',
] as const;

/** A change of a call. The status of the call and of the attempt is the present one, which may be later than the change. */
export const CallChange = Type.Object(
  {
    kind: Type.Enum([...callChangeKinds]),
    call: CallInProgress,
    attempt: Type.Optional(TimelineCall),
  },
  { title: 'CallChange' },
);
export type CallChange = Static<typeof CallChange>;

/** The sound of a `PlaySound` action, for consoles. */
export const Sound = Type.Object(
  {
    alarmId: Id,
    stationId: Id,
    occasion: Type.Enum([...alarmOccasions]),
    name: Type.String({ description: 'The `parameter` of the action: a file of the media library.' }),
    scriptId: Uint,
    flags: Uint,
  },
  { title: 'Sound' },
);
export type Sound = Static<typeof Sound>;

/** The hub's name; its case matters to the generated proxies of classic clients. */
export const hubName = 'alarmHub';

/** The methods that the server calls on clients, each with exactly one argument. */
export const hubCallbacks = {
  onAlarm: {
    argument: Alarm,
    description:
      'A new alarm that this client may see: raised, or in alarm when its mask ended. Not for repeats, nor while masked.',
  },
  onAlarmChanged: {
    argument: AlarmChange,
    description:
      'Any change of an alarm, with its place in the journal. Only to clients that asked by `resume` or `changes`.',
  },
  onCallChanged: {
    argument: CallChange,
    description:
      'What became of a try to reach somebody, or that the calling is over. Only to clients that asked by `calls`.',
  },
  onPlaySound: {
    argument: Sound,
    description:
      'A sound to play for an occasion of an alarm. Only to clients that subscribed with `sounds`.',
  },
} as const;

/** The methods that clients call on the server. */
export const hubMethods = {
  subscribe: {
    argument: Type.Union([HubFilter, Type.Null()]),
    answer: Resumed,
    description: 'Filters the pushed events from now on; by default everything that the token may see.',
  },
  unsubscribe: { argument: undefined, answer: Type.Null(), description: 'Stops pushing.' },
  ping: {
    argument: undefined,
    answer: Type.Null(),
    description: 'A sign of life, for clients that must notice a silent server within seconds.',
  },
  resume: {
    argument: AfterSeq,
    answer: Resumed,
    description:
      'Pushes what came after `seq`, in order, without a gap and without a double; then goes on. Asks for `onAlarmChanged`.',
  },
} as const;
