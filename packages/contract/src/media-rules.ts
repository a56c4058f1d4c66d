import { type Static, Type } from 'typebox';
import { mediumKinds } from './people.ts';
import { ShortText, Uint } from './primitives.ts';

const RuleMedium = Type.Object(
  {
    kind: Type.Enum([...mediumKinds]),
    address: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_024,
        description:
          'One of the addresses of the user; absent: all of this kind. Skipped while the user does not have it.',
      }),
    ),
    afterSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_600,
        description:
          'Wait after the previous medium of the rule. Absent: tries are spread over the time to acknowledge.',
      }),
    ),
  },
  { title: 'RuleMedium' },
);

export const MediaRule = Type.Object(
  {
    name: Type.Optional(ShortText),
    priorities: Type.Array(Uint, { minItems: 1, maxItems: 32 }),
    days: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
        minItems: 1,
        maxItems: 7,
        description: 'Days on which the time begins, 1 Monday … 7 Sunday; absent: every day.',
      }),
    ),
    from: Type.Optional(
      Type.String({
        pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
        description: '`hh:mm` in the time zone of the rules; absent: 00:00.',
      }),
    ),
    to: Type.Optional(
      Type.String({
        pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
        description:
          '`hh:mm`, not included; not after `from`: on the next day; absent: 24:00. Equal to `from`: a whole day.',
      }),
    ),
    media: Type.Array(RuleMedium, {
      maxItems: 32,
      description:
        'In the order in which they are tried; a medium may occur again. Empty: quiet, the user is not called in this time. Not allowed for priority 1.',
    }),
  },
  { title: 'MediaRule' },
);
export type MediaRule = Static<typeof MediaRule>;

const Rules = Type.Array(MediaRule, {
  maxItems: 32,
  description:
    'The first one that matches the priority and the time decides; without one, the media of the user.',
});

export const MediaRulesBody = Type.Object(
  {
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'Zone of the times, such as `Europe/Paris`; empty or absent: that of the station of the user.',
      }),
    ),
    rules: Rules,
  },
  { title: 'MediaRulesBody' },
);
export type MediaRulesBody = Static<typeof MediaRulesBody>;

export const MediaRules = Type.Object(
  {
    timeZone: Type.String({ description: 'As it was set; empty: that of the station of the user.' }),
    usedTimeZone: Type.String({ description: 'The zone in which the times are read.' }),
    rules: Rules,
  },
  { title: 'MediaRules' },
);
export type MediaRules = Static<typeof MediaRules>;
