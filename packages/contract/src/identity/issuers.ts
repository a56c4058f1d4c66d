import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from '../paging.ts';
import { Role } from '../people.ts';
import { Id, Name } from '../primitives.ts';

/** A group of the outside system and the role that its members get. The first match in the list counts. */
export const GroupRole = Type.Object(
  {
    group: Type.String({ minLength: 1, maxLength: 512 }),
    role: Role,
  },
  { title: 'GroupRole' },
);
export type GroupRole = Static<typeof GroupRole>;

const groupRoles = Type.Array(GroupRole, {
  maxItems: 100,
  description: 'Without a match nobody is let in whom an administrator has not linked.',
});

/** An OpenID Connect issuer through which users of this tenant sign in. */
const issuer = {
  name: Name,
  issuer: Type.String({
    format: 'uri',
    maxLength: 512,
    description: 'Exactly as in its tokens, for example `https://login.example.com/realms/plant`.',
  }),
  clientId: Type.String({ minLength: 1, maxLength: 256 }),
  enabled: Type.Boolean(),
  scopes: Type.Optional(Type.String({ maxLength: 512, description: 'Default `openid profile`.' })),
  groupsClaim: Type.Optional(
    Type.String({ maxLength: 128, description: 'The claim with the groups; default `groups`.' }),
  ),
  groupRoles,
  createUsers: Type.Boolean({
    description: 'Whether somebody with a matching group gets a new user at the first sign-in.',
  }),
};

export const IssuerBody = Type.Object(
  {
    ...issuer,
    clientSecret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        writeOnly: true,
        description: 'Written, never read. Absent keeps it, unless `issuer` changes.',
      }),
    ),
  },
  { title: 'IssuerBody' },
);
export type IssuerBody = Static<typeof IssuerBody>;

export const Issuer = Type.Object(
  {
    id: Id,
    ...issuer,
    hasClientSecret: Type.Boolean(),
    redirectUri: Type.String({ description: 'To be entered at the issuer.' }),
  },
  { title: 'Issuer' },
);
export type Issuer = Static<typeof Issuer>;
export const IssuerPage = pageOf(Issuer, 'IssuerPage');

export const ListIssuers = Type.Object({ ...PagingQuery });
export type ListIssuers = Static<typeof ListIssuers>;

/** An LDAP directory, such as Active Directory, that checks passwords of users of this tenant. */
const directory = {
  enabled: Type.Boolean(),
  url: Type.String({
    pattern: '^ldaps?://',
    maxLength: 512,
    description: '`ldaps://host` or `ldap://host`, the latter always with StartTLS.',
  }),
  certificate: Type.Optional(
    Type.String({
      maxLength: 65_536,
      description: 'The certificate authority in PEM; absent: those of the system.',
    }),
  ),
  bindDn: Type.String({ maxLength: 512, description: 'Who searches for people.' }),
  baseDn: Type.String({ minLength: 1, maxLength: 512 }),
  userFilter: Type.String({
    maxLength: 512,
    pattern: '\\{name\\}',
    description: 'For example `(sAMAccountName={name})`; the name is escaped.',
  }),
  idAttribute: Type.String({
    maxLength: 64,
    description: 'What never changes: `entryUUID`, or `objectGUID` in Active Directory.',
  }),
  nameAttribute: Type.String({ maxLength: 64, description: 'For example `cn` or `displayName`.' }),
  groupAttribute: Type.String({ maxLength: 64, description: 'For example `memberOf`.' }),
  groupRoles,
  createUsers: Type.Boolean({
    description: 'Whether somebody with a matching group gets a new user at the first log-in.',
  }),
};

export const DirectoryBody = Type.Object(
  {
    ...directory,
    bindPassword: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        writeOnly: true,
        description: 'Written, never read. Absent keeps it, unless `url` or `bindDn` changes.',
      }),
    ),
  },
  { title: 'DirectoryBody' },
);
export type DirectoryBody = Static<typeof DirectoryBody>;

export const Directory = Type.Object(
  { ...directory, hasBindPassword: Type.Boolean() },
  { title: 'Directory' },
);
export type Directory = Static<typeof Directory>;

/** Tries the stored settings, and shows what somebody would get. */
export const DirectoryTest = Type.Object(
  { username: Type.String({ minLength: 1, maxLength: 256 }) },
  { title: 'DirectoryTest' },
);
export type DirectoryTest = Static<typeof DirectoryTest>;
export const DirectoryTestAnswer = Type.Object(
  {
    reached: Type.Boolean(),
    found: Type.Boolean(),
    name: Type.Optional(Type.String()),
    groups: Type.Array(Type.String()),
    role: Type.Optional(Role),
    reason: Type.Optional(Type.String({ description: 'What failed, and what to do.' })),
  },
  { title: 'DirectoryTestAnswer' },
);
export type DirectoryTestAnswer = Static<typeof DirectoryTestAnswer>;

/** The ways to sign in that the page offers before anybody is known. */
export const SignInWays = Type.Object(
  {
    passkeys: Type.Boolean(),
    issuers: Type.Array(Type.Object({ id: Id, name: Type.String(), url: Type.String() })),
  },
  { title: 'SignInWays' },
);
export type SignInWays = Static<typeof SignInWays>;

/** The tenant of the page; needed only in an installation with several. */
export const SignInTenant = Type.Object({
  tenant: Type.Optional(Type.String({ maxLength: 256, description: 'Its name or number.' })),
});

/** The answer of an issuer, RFC 6749 §4.1.2 and RFC 9207. Other members are ignored. */
export const SignInAnswer = Type.Object({
  state: Type.Optional(Type.String({ maxLength: 512 })),
  code: Type.Optional(Type.String({ maxLength: 8_192 })),
  iss: Type.Optional(Type.String({ maxLength: 512 })),
  error: Type.Optional(Type.String({ maxLength: 512 })),
});
export type SignInAnswer = Static<typeof SignInAnswer>;

/** Why a sign-in through an issuer failed: the `problem` in the address of the sign-in page. */
export const signInProblems = [
  /** It took more than ten minutes, was used before, or began in another browser. */
  'sign-in-expired',
  /** The issuer has asked the person and did not let them in. */
  'issuer-refused',
  'issuer-unreachable',
  /** The token of the issuer did not pass a check; the log of the server says which. */
  'token-not-accepted',
  /** No user is linked to the person, and no group lets them in. */
  'no-user',
  'user-disabled',
  /** A new user would have the name of another one. */
  'name-taken',
] as const;
export type SignInProblem = (typeof signInProblems)[number];
