import type { TwoPersonAction } from '@tocsin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { auditOrigin } from '../../http/audit-origin.ts';
import { principalOf } from '../../http/authorization.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { type AskedAction, permissionFor } from './approval-request.ts';
import { askSecondPerson, needsSecondPerson } from './ask-second-person.ts';

/** The action that the request asks for; undefined if it happens at once. */
export type DescribeAction = (
  transaction: TenantTransaction,
  request: FastifyRequest,
) => Promise<AskedAction | undefined>;

/** A `preHandler`: answers 202 with the approval, instead of the action, where the tenant wants two people. */
export function holdBack(
  { database }: Pick<Runtime, 'database'>,
  action: TwoPersonAction,
  describe: DescribeAction,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  return async (request, reply) => {
    const principal = principalOf(request);
    // Whoever lacks the permission is refused by the route itself.
    if (!principal.permissions.has(permissionFor[action])) return;
    const approval = await inTenant(database, principal.tenantId, async (transaction) => {
      if (!(await needsSecondPerson(transaction, action))) return undefined;
      const asked = await describe(transaction, request);
      return asked && askSecondPerson(transaction, principal, { ...asked, origin: auditOrigin(request) });
    });
    if (approval) return reply.code(202).send(approval);
  };
}
