import type { Principal } from '../http/principal.ts';

/** Who a hub connection belongs to. */
export type HubUser = { readonly principal: Principal };

/** Equal for all requests of one caller, whichever of its tokens they carry. */
export function callerOf({ tenantId, subject }: Principal): string {
  return `${tenantId} ${subject}`;
}
