import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from './paging.ts';
import { Id, SentDateTime, ShortText, Uint } from './primitives.ts';

const AuditObject = Type.Object(
  { kind: Type.String(), id: Type.String() },
  { title: 'AuditObject', description: 'The object of the action, such as `user` and `7`.' },
);

const AuditActor = Type.Object(
  {
    kind: Type.Enum(['user', 'key', 'issuer', 'system', 'anonymous']),
    id: Type.String({
      description:
        'Of the user or API key; `<issuer> <sub>` of a token of an outside issuer; empty for the server itself and for nobody.',
    }),
    name: Type.String({
      description: 'The name at that time. Names can be imitated; `kind` and `id` cannot.',
    }),
  },
  { title: 'AuditActor' },
);

const AuditTime = Type.String({
  description: 'ISO 8601 date-time in UTC, with milliseconds.',
  examples: ['2026-04-29T06:46:04.120Z'],
});

export const AuditEntry = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'Number in the trail of the tenant, without gaps.' }),
    time: AuditTime,
    action: Type.String({ description: '`<kind of object>.<verb>`, such as `user.change`.' }),
    object: AuditObject,
    actor: AuditActor,
    address: Type.String({ description: 'Network address of the client.' }),
    requestId: Type.String(),
    reason: Type.String(),
    before: Type.Optional(Type.Unknown({ description: 'The object before the change, without secrets.' })),
    after: Type.Optional(Type.Unknown({ description: 'The object after the change, without secrets.' })),
    hash: Type.String({ description: 'SHA-256, in hexadecimal, over the previous hash and this entry.' }),
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;
export const AuditPage = pageOf(AuditEntry, 'AuditPage');

/** The most entries that one verification compares. */
export const mostVerifiedEntries = 20_000;

/** Whether the stored trail is what was written and signed. */
export const AuditVerification = Type.Object(
  {
    from: Type.Integer({ ...Uint, description: 'The first entry that was compared; 0 if there is none.' }),
    to: Type.Integer({ ...Uint, description: 'The last entry that was compared.' }),
    isWhole: Type.Boolean({
      description: `Whether all stored entries were compared. At most the newest ${mostVerifiedEntries} are.`,
    }),
    time: AuditTime,
    head: Type.Optional(
      Type.Object(
        { number: Id, time: AuditTime, keyId: Type.String() },
        { description: 'The newest signed head of the trail. Absent in the first minute.' },
      ),
    ),
    fault: Type.Optional(
      Type.Object(
        {
          id: Type.Integer({ ...Id, description: 'The first entry that cannot be trusted.' }),
          detail: Type.String(),
        },
        { description: 'Absent if the entries match their chain and their signed heads.' },
      ),
    ),
  },
  { title: 'AuditVerification' },
);
export type AuditVerification = Static<typeof AuditVerification>;

const { offset, limit, sort } = PagingQuery;
const UtcSent = Type.String({
  ...SentDateTime,
  description: 'ISO 8601 date-time; without an offset in UTC.',
});

export const ListAudit = Type.Object(
  {
    offset,
    limit,
    sort,
    from: Type.Optional(Type.String({ ...UtcSent, description: 'Entries from this time on.' })),
    to: Type.Optional(Type.String({ ...UtcSent, description: 'Entries before this time.' })),
    actor: Type.Optional(
      Type.String({
        maxLength: 1_024,
        description:
          '`user:7`, `issuer:<issuer> <sub>`, or a kind of actor such as `key`, or `issuer:<issuer>`.',
      }),
    ),
    action: Type.Optional(
      Type.String({ ...ShortText, description: '`user.change`, or a kind of object such as `user`.' }),
    ),
    object: Type.Optional(
      Type.String({ ...ShortText, description: '`user:7`, or a kind of object such as `user`.' }),
    ),
  },
  { title: 'ListAudit' },
);
export type ListAudit = Static<typeof ListAudit>;
