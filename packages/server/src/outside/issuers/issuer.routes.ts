import { Issuer, IssuerBody, IssuerPage, ListIssuers } from '@tocsin/contract';
import { notFound } from '../../common/problem.ts';
import { collectionRoutes } from '../../http/collection.routes.ts';
import type { RequestContext } from '../../http/collection.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { requireWholeTenant } from '../../http/principal.ts';
import { requireRank } from '../../people/user-rules.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { type IssuerRow, issuerStore } from './issuer.store.ts';
import { issuerToWire, toNewIssuer } from './issuer.wire.ts';

/** The OpenID Connect issuers of the tenant. Users limited to stations have no access to them, as to channels. */
export function issuerRoutes(app: HttpApp, runtime: Runtime, publicUrl: string): void {
  const { box } = runtime;
  collectionRoutes(app, runtime, {
    path: 'issuers',
    noun: 'issuer',
    permission: { read: 'people:read', write: 'people:write' },
    schema: { item: Issuer, page: IssuerPage, body: IssuerBody, query: ListIssuers },
    list: async ({ transaction, principal }, query, page) => {
      requireWholeTenant(principal);
      const { rows, total } = await issuerStore.list(transaction, query, page);
      return { items: rows.map((row) => issuerToWire(row, publicUrl)), total };
    },
    find: async ({ transaction, principal }, id, options) => {
      requireWholeTenant(principal);
      const row = await issuerStore.find(transaction, id, options);
      return row && { item: issuerToWire(row, publicUrl), version: row.version };
    },
    create: async (context, body) => {
      requireGrantable(context, body);
      const { transaction, principal } = context;
      return issuerStore.insert(transaction, toNewIssuer(body, { box, tenantId: principal.tenantId }));
    },
    replace: async (context, id, body) => {
      requireGrantable(context, body);
      const { transaction, principal } = context;
      const former = await readIssuer(context, id);
      const issuer = toNewIssuer(body, { box, tenantId: principal.tenantId }, former);
      await issuerStore.update(transaction, id, issuer);
    },
    remove: async ({ transaction, principal }, id) => {
      requireWholeTenant(principal);
      await issuerStore.remove(transaction, id);
    },
  });
}

/** Nobody lets an issuer grant more rights than they have themselves. */
function requireGrantable({ principal }: RequestContext, { groupRoles }: IssuerBody): void {
  requireWholeTenant(principal);
  for (const { role } of groupRoles) requireRank(principal, role);
}

async function readIssuer({ transaction }: RequestContext, id: number): Promise<IssuerRow> {
  const row = await issuerStore.find(transaction, id, { forUpdate: false });
  if (!row) throw notFound('issuer', id);
  return row;
}
