import type { Principal } from '../../http/principal.ts';

export type HubUser = { readonly principal: Principal };

/** Equal for all requests of one caller, whichever token they carry. */
export function callerOf({ tenantId, subject }: Principal): string {
  return `${tenantId} ${subject}`;
}
