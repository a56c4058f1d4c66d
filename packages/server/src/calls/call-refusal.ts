import type { Callee } from './callee.store.ts';

/** Why nobody is called, in words that fit into a header. */
export type CallRefusal = { refusal: string };

/** Why a user cannot be called, or undefined when he can. */
export function whyNotCallable(
  id: number,
  callee: Callee | undefined,
  served: ReadonlySet<string>,
): string | undefined {
  if (!callee) return `user ${id} does not exist`;
  if (!callee.enabled) return `user ${id} is disabled`;
  if (callee.media.length === 0) return `user ${id} has no medium`;
  if (callee.media.some((medium) => served.has(medium))) return undefined;
  return `no channel serves a medium of user ${id}`;
}

const mostNamed = 20;

/** All that is in the way, cut to what a header holds. */
export function refuseCall(reasons: readonly string[]): CallRefusal {
  const named = reasons.slice(0, mostNamed);
  const more = reasons.length > named.length ? [`${reasons.length - named.length} more`] : [];
  return { refusal: [...named, ...more].join('; ') };
}
