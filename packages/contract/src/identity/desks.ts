import { type Static, Type } from 'typebox';
import { Id, idOf } from '../primitives.ts';

/** Somebody who can sign in at a shared desk with a PIN or a badge. */
export const DeskPerson = Type.Object({ id: Id, name: Type.String() }, { title: 'DeskPerson' });
export type DeskPerson = Static<typeof DeskPerson>;
export const DeskPeople = Type.Object({ items: Type.Array(DeskPerson) }, { title: 'DeskPeople' });
export type DeskPeople = Static<typeof DeskPeople>;

/** A shared desk: its own session stays, and people act in their own name on top of it. */
export const DeskBody = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 64, description: 'For example `Control room 1`.' }) },
  { title: 'DeskBody' },
);
/** The desk as it is after the request. */
export const Desk = Type.Object({ name: Type.String() }, { title: 'Desk' });

/** `userId` and `pin`, or `badge`. */
export const DeskSwitch = Type.Object(
  {
    userId: Type.Optional(idOf('user')),
    pin: Type.Optional(Type.String({ pattern: '^\\d{4,8}$' })),
    badge: Type.Optional(Type.String({ minLength: 4, maxLength: 128 })),
  },
  { title: 'DeskSwitch' },
);

/** Like a log-in, but without a refresh token: the person is signed out when it ends. */
export const DeskAnswer = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    id: Type.String({ description: 'The user id, as a string.' }),
    name: Type.String(),
  },
  { title: 'DeskAnswer' },
);
export type DeskAnswer = Static<typeof DeskAnswer>;

export const BadgeBody = Type.Object(
  { badge: Type.String({ minLength: 4, maxLength: 128, description: 'What the reader types.' }) },
  { title: 'BadgeBody' },
);
