import { type Static, Type } from 'typebox';
import { Role } from '../people.ts';

/** What needs a second person, where the tenant wants it. */
export const twoPersonActions = ['commands', 'masks', 'keys'] as const;
export const TwoPersonAction = Type.Enum([...twoPersonActions]);
export type TwoPersonAction = Static<typeof TwoPersonAction>;

/** Rules of the tenant for log-ins and dangerous actions. */
export const SecuritySettingsBody = Type.Object(
  {
    secondFactorRoles: Type.Array(Role, {
      uniqueItems: true,
      maxItems: 6,
      description: 'Roles that must have a second factor. Until they do, they can only set one up.',
    }),
    confirmDangerous: Type.Boolean({
      description:
        'Dangerous actions ask again for the password or the second factor. Users with a second factor are always asked.',
    }),
    confirmationMinutes: Type.Integer({ minimum: 1, maximum: 60, description: 'Default 10.' }),
    deskMinutes: Type.Integer({
      minimum: 1,
      maximum: 720,
      description: 'How long somebody stays signed in at a shared desk without acting. Default 15.',
    }),
    twoPersonActions: Type.Array(TwoPersonAction, {
      uniqueItems: true,
      maxItems: 3,
      description:
        'Commands, masks of priority 1 and deletion of keys that wait for the approval of a second person.',
    }),
  },
  { title: 'SecuritySettingsBody' },
);
export type SecuritySettingsBody = Static<typeof SecuritySettingsBody>;

export const SecuritySettings = Type.Object(SecuritySettingsBody.properties, { title: 'SecuritySettings' });
export type SecuritySettings = Static<typeof SecuritySettings>;
