import {
  IdParams,
  ListShiftNotes,
  ShiftNote,
  ShiftNoteBody,
  ShiftNotePage,
  SignShiftNote,
} from '@tocsin/contract';
import { invalid, notFound, ProblemError } from '../common/problem.ts';
import { resolvePeriod } from '../history/resolve-period.ts';
import { answerWrite } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import { collectionRoutes } from '../http/collection.routes.ts';
import type { RequestContext } from '../http/collection.ts';
import { visibleItems } from '../http/collection-access.ts';
import { entityTag, requireVersion } from '../http/entity-tag.ts';
import type { HttpApp } from '../http/http-app.ts';
import { requireStation } from '../http/principal.ts';
import type { PageBounds } from '../postgres/collections/read-page.ts';
import { optionalReference, requireReferences, stationsFor } from '../postgres/collections/references.ts';
import type { StationScope } from '../postgres/collections/visibility.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import {
  deleteShiftNote,
  findShiftNote,
  insertShiftNote,
  listShiftNotes,
  type ShiftNoteRecord,
  type ShiftNoteRow,
  updateShiftNote,
} from './shift-note.store.ts';
import { toShiftNote } from './shift-note.wire.ts';
import { signNote } from './sign-note.ts';

/** Notes of a shift for the next one, which both sign. */
export function shiftNoteRoutes(app: HttpApp, runtime: Runtime): void {
  collectionRoutes(app, runtime, {
    path: 'shifts/notes',
    tag: 'shifts',
    noun: 'shift note',
    permission: { read: 'alarms:read', write: 'alarms:act' },
    schema: { item: ShiftNote, page: ShiftNotePage, body: ShiftNoteBody, query: ListShiftNotes },
    ...visibleItems({ list, find: findShiftNote, toWire: toShiftNote }),
    create: async (context, body) =>
      insertShiftNote(context.transaction, await readNote(context, body, undefined)),
    replace: async (context, id, body) => {
      const before = await requireUnsigned(context, id);
      await updateShiftNote(context.transaction, id, await readNote(context, body, before));
    },
    remove: async (context, id) => {
      await requireUnsigned(context, id);
      await deleteShiftNote(context.transaction, id);
    },
  });
  signRoute(app, runtime);
}

async function list(
  transaction: TenantTransaction,
  { from, to, stationId, sort, stationIds }: ListShiftNotes & StationScope,
  bounds: PageBounds,
) {
  const period = await resolvePeriod(transaction, { ...(from && { from }), ...(to && { to }) });
  const visible = await stationsFor(transaction, stationIds, { stations: stationId });
  // The newest notes are what people look for.
  const page = { ...bounds, descending: sort === undefined || bounds.descending };
  return listShiftNotes(transaction, { ...period, stationId, stationIds: visible }, page);
}

async function readNote(
  { transaction, principal }: RequestContext,
  body: ShiftNoteBody,
  before: ShiftNoteRow | undefined,
): Promise<ShiftNoteRecord> {
  const stationId = (body.stationId ?? before?.stationId) || null;
  requireStation(principal, stationId);
  await requireReferences(transaction, 'stations', {
    references: optionalReference('/stationId', body.stationId),
    stationIds: principal.stationIds,
  });
  const { from, to, text } = body;
  const { from: startsAt, to: endsAt } = await resolvePeriod(transaction, {
    from,
    to,
    ...(stationId !== null && { stationId }),
  });
  if (!startsAt || !endsAt || startsAt >= endsAt) throw invalid('/to', 'must be after from');
  return { stationId, startsAt, endsAt, text, author: principal.name };
}

/** The note, unless a shift has signed it or the caller may not change it. */
async function requireUnsigned(
  { transaction, principal }: RequestContext,
  id: number,
): Promise<ShiftNoteRow> {
  const note = await findShiftNote(transaction, id, { stationIds: principal.stationIds, forUpdate: false });
  if (!note) throw notFound('shift note', id);
  requireStation(principal, note.stationId);
  if (note.outgoingAt !== null)
    throw new ProblemError('conflict', `${note.outgoingBy} has signed the shift note; it stays as it is`);
  return note;
}

function signRoute(app: HttpApp, runtime: Runtime): void {
  app.post(
    '/api/v1/shifts/notes/:id/signatures',
    {
      config: { permission: 'alarms:act', audit: { action: 'shift-note.sign', object: 'shift-note' } },
      schema: {
        tags: ['shifts'],
        summary: 'Sign a shift note: first the outgoing shift, then another person of the incoming one',
        params: IdParams,
        body: SignShiftNote,
        response: { 200: ShiftNote },
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        const principal = principalOf(request);
        const { id } = request.params;
        const scope = { stationIds: principal.stationIds, forUpdate: true };
        const note = await findShiftNote(transaction, id, scope);
        if (!note) throw notFound('shift note', id);
        requireVersion(request, note.version);
        await signNote({ transaction, principal }, note, request.body.shift);
        const signed = await findShiftNote(transaction, id, scope);
        if (!signed) throw notFound('shift note', id);
        const body = toShiftNote(signed);
        const audit = { id, before: toShiftNote(note), after: body };
        return { body, headers: { etag: entityTag(signed.version) }, audit };
      }),
  );
}
