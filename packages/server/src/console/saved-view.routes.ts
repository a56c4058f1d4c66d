import { ListSavedViews, SavedView, SavedViewBody, SavedViewPage } from '@tocsin/contract';
import { notFound, ProblemError } from '../common/problem.ts';
import { collectionRoutes } from '../http/collection.routes.ts';
import type { RequestContext } from '../http/collection.ts';
import type { HttpApp } from '../http/http-app.ts';
import { requireWholeTenant } from '../http/principal.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { ownUserId } from './own-user.ts';
import {
  countSavedViews,
  deleteSavedView,
  findSavedView,
  insertSavedView,
  listSavedViews,
  type SavedViewRow,
  updateSavedView,
} from './saved-view.store.ts';

/** More views than these are a program gone wrong. */
const maxViews = 200;

/** Views of the alarm list that the caller has saved, or that others share. */
export function savedViewRoutes(app: HttpApp, runtime: Runtime): void {
  collectionRoutes(app, runtime, {
    path: 'me/views',
    tag: 'console',
    noun: 'saved view',
    permission: { read: 'self', write: 'self' },
    isReadAtDesk: true,
    schema: { item: SavedView, page: SavedViewPage, body: SavedViewBody, query: ListSavedViews },
    list: async ({ transaction, principal }, _query, asked) => {
      const { rows, total } = await listSavedViews(transaction, ownUserId(principal), asked);
      return { items: rows.map(toWire), total };
    },
    find: async ({ transaction, principal }, id, { forUpdate }) => {
      const row = await findSavedView(transaction, ownUserId(principal), { id, forUpdate });
      return row && { item: toWire(row), version: row.version };
    },
    create: async ({ transaction, principal }, body) => {
      const ownerId = ownUserId(principal);
      if ((await countSavedViews(transaction, ownerId)) >= maxViews)
        throw new ProblemError('conflict', `${principal.name} has ${maxViews} views: delete one first`);
      return insertSavedView(transaction, ownerId, body);
    },
    replace: async (context, id, { shared, ...body }) => {
      const before = await requireChangeable(context, id);
      const after = { ...body, shared: shared ?? before.shared };
      if (!after.shared && before.ownerId !== context.principal.userId)
        throw new ProblemError('not-allowed', `Only ${before.owner} may stop sharing this view`);
      return updateSavedView(context.transaction, id, after);
    },
    remove: async (context, id) => {
      await requireChangeable(context, id);
      return deleteSavedView(context.transaction, id);
    },
  });
}

/** Shared views are changed by their owner, or by somebody who may change the plant. */
async function requireChangeable(
  { transaction, principal }: RequestContext,
  id: number,
): Promise<SavedViewRow> {
  const userId = ownUserId(principal);
  const view = await findSavedView(transaction, userId, { id, forUpdate: false });
  if (!view) throw notFound('saved view', id);
  if (view.ownerId === userId) return view;
  if (!principal.permissions.has('plant:write'))
    throw new ProblemError(
      'not-allowed',
      `${principal.name} may use this view of ${view.owner}, not change it`,
    );
  requireWholeTenant(principal);
  return view;
}

function toWire({ id, name, search, shared, ownerId, owner }: SavedViewRow): SavedView {
  return { id, name, search, shared, ownerId, owner };
}
