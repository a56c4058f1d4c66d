import type { AttemptStatus, Medium, MediumKind, NoticeAttempt, NoticeKind, Person } from '@tocsin/domain';
import { nextId } from '../postgres/next-id.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** A medium of a notice and the escalation that sends it. */
export type NoticeMedium = Medium & { escalationId: number };

/** The person that a notice is for, if they are enabled. */
export async function findRecipient(
  transaction: TenantTransaction,
  id: number,
): Promise<{ userId: number; name: string; language: string } | undefined> {
  return transaction
    .selectFrom('users')
    .select(['id as userId', 'name', 'language'])
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .where('enabled', '=', true)
    .executeTakeFirst();
}

export async function insertNotice(
  transaction: TenantTransaction,
  notice: { kind: NoticeKind; userId: number; requestedBy: string },
): Promise<number> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'notice');
  await transaction
    .insertInto('notices')
    .values({ tenantId, id, ...notice, sentAt: now })
    .execute();
  return id;
}

/** How a person confirmed a notice: with a key of the telephone, by a reply, by the link, or logged in. */
type ConfirmedBy = 'key' | 'reply' | 'link' | 'interface';

/** A medium of a notice with its attempts. */
export type SentMedium = {
  escalationId: number;
  kind: MediumKind;
  address: string;
  openedAt: Date;
  isOver: boolean;
  attempts: NoticeAttempt[];
  confirmedBy: ConfirmedBy | undefined;
};

type Row = {
  id: number;
  kind: MediumKind;
  address: string;
  opened_at: Date;
  is_over: boolean;
  attempts: AttemptRow[] | null;
  method: string | null;
};

type AttemptRow = {
  status: AttemptStatus;
  reason: string;
  sentMs: number | null;
  answeredMs: number | null;
  endedMs: number | null;
  confirmedMs: number | null;
};

/** Reads what became of the media of notices, by their escalations. */
export async function readSentMedia(
  { client, tenantId }: TenantTransaction,
  escalationIds: readonly number[],
): Promise<SentMedium[]> {
  const { rows } = await client.query<Row>({
    name: 'read-sent-media',
    text: `select d.id, d.plan #>> '{people,0,media,0,kind}' as kind, d.plan #>> '{people,0,media,0,address}' as address,
             d.opened_at, d.closed_at is not null as is_over,
             (select json_agg(json_build_object('status', c.outcome, 'reason', c.reason,
                 'sentMs', extract(epoch from c.sent_at) * 1000, 'answeredMs', extract(epoch from c.answered_at) * 1000,
                 'endedMs', extract(epoch from c.ended_at) * 1000, 'confirmedMs', extract(epoch from c.acknowledged_at) * 1000)
                 order by c.id)
               from call_attempts c where c.tenant_id = $1 and c.escalation_id = d.id) as attempts,
             (select r.method from call_attempts c join answer_records r on r.tenant_id = $1 and r.attempt_id = c.id
               where c.tenant_id = $1 and c.escalation_id = d.id and r.judgement = 'accepted' order by r.at limit 1) as method
           from escalations d where d.tenant_id = $1 and d.id = any ($2::bigint[]) and d.occasion = 'notice' order by d.id`,
    values: [tenantId, escalationIds],
  });
  return rows.map(sentMediumOf);
}

function sentMediumOf({ id, kind, address, attempts, method, ...row }: Row): SentMedium {
  return {
    escalationId: id,
    kind,
    address,
    openedAt: row.opened_at,
    isOver: row.is_over,
    attempts: (attempts ?? []).map((attempt) => ({
      status: attempt.status,
      reason: attempt.reason,
      sentAt: dateOf(attempt.sentMs),
      answeredAt: dateOf(attempt.answeredMs),
      endedAt: dateOf(attempt.endedMs),
      confirmedAt: dateOf(attempt.confirmedMs),
    })),
    confirmedBy: confirmedBy(method, kind),
  };
}

function dateOf(ms: number | null): Date | undefined {
  return ms === null ? undefined : new Date(ms);
}

function confirmedBy(method: string | null, kind: MediumKind): ConfirmedBy | undefined {
  if (method === 'keys') return 'key';
  if (method === 'provider') return kind === 'Voice' ? 'key' : 'reply';
  return method === 'link' || method === 'interface' ? method : undefined;
}

export async function listEscalationsOfNotice(
  transaction: TenantTransaction,
  noticeId: number,
): Promise<number[]> {
  const rows = await transaction
    .selectFrom('escalations')
    .select('id')
    .where('tenantId', '=', transaction.tenantId)
    .where('noticeId', '=', noticeId)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The users that the caller may see, with their enabled media; a single one if `id` is given. Disabled users have none. */
export async function listVisiblePeople(
  { client, tenantId }: TenantTransaction,
  stationIds: readonly number[] | undefined,
  id?: number,
): Promise<Person[]> {
  const { rows } = await client.query<Omit<Person, 'media'> & { media: Person['media'] | null }>({
    name: 'list-visible-people',
    text: `select u.id as "userId", u.name, u.language,
             (select json_agg(json_build_object('kind', m.kind, 'address', m.address) order by m.position)
               from user_media m where m.tenant_id = $1 and m.user_id = u.id and m.enabled and u.enabled
                 and m.confirmed_by is not null) as media
           from users u where u.tenant_id = $1 and ($2::bigint is null or u.id = $2)
             and ($3::bigint[] is null or u.station_ids = '{}' or u.station_ids && $3) and (u.enabled or u.id = $2)
           order by u.id`,
    values: [tenantId, id ?? null, stationIds ?? null],
  });
  return rows.map(({ media, ...person }) => Object.assign(person, { media: media ?? [] }));
}
