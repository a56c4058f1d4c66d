import { IdParams, ListObjectUses, ObjectUsePage } from '@tocsin/contract';
import { notFound } from '../common/problem.ts';
import { answerRead } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { page, pageRequest } from '../http/page.ts';
import type { Permission } from '../http/permissions.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { isKnown, listObjectUses, type UsedTable } from './object-use.store.ts';

type Used = { readonly noun: string; readonly table: UsedTable; readonly permission: Permission };

/** Whoever may delete an object may know who uses it. */
const used: Record<string, Used> = {
  stations: { noun: 'station', table: 'stations', permission: 'plant:write' },
  dataservers: { noun: 'data server', table: 'dataServers', permission: 'plant:write' },
  taggroups: { noun: 'tag group', table: 'tagGroups', permission: 'plant:write' },
  scenarios: { noun: 'scenario', table: 'scenarios', permission: 'plant:write' },
  callgroups: { noun: 'call group', table: 'callGroups', permission: 'callgroups:write' },
  callgroupgroupings: {
    noun: 'call group grouping',
    table: 'callGroupGroupings',
    permission: 'callgroups:write',
  },
  users: { noun: 'user', table: 'users', permission: 'people:write' },
};

/** What a deletion of a configured object would change, and what keeps it from being deleted. */
export function objectUseRoutes(app: HttpApp, runtime: Runtime): void {
  for (const [path, { noun, table, permission }] of Object.entries(used))
    app.get(
      `/api/v1/${path}/:id/uses`,
      {
        config: { permission },
        schema: {
          tags: [path],
          summary: `List what uses a ${noun}, before it is deleted`,
          params: IdParams,
          querystring: ListObjectUses,
          response: { 200: ObjectUsePage },
        },
      },
      (request) =>
        answerRead(runtime, request, async (transaction) => {
          const scope = { id: request.params.id, stationIds: principalOf(request).stationIds };
          if (!(await isKnown(transaction, table, scope))) throw notFound(noun, scope.id);
          const asked = pageRequest(request.query);
          const { rows, total } = await listObjectUses(transaction, table, { ...scope, ...asked });
          return page(rows, asked, total);
        }),
    );
}
