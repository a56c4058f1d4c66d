import type { Callee } from './callee.store.ts';

/** The reason why nobody is called, as text for a header. */
export type CallRefusal = { refusal: string };

/** The reason why a user cannot be called; undefined if they can. */
export function whyNotCallable(
  id: number,
  callee: Callee | undefined,
  served: ReadonlySet<string>,
): string | undefined {
  if (!callee) return `user ${id} does not exist`;
  if (!callee.enabled) return `user ${id} is disabled`;
  if (callee.media.length === 0)
    return callee.hasUnconfirmed ? `user ${id} has no confirmed address` : `user ${id} has no medium`;
  if (callee.media.some((medium) => served.has(medium))) return undefined;
  return `no channel serves a medium of user ${id}`;
}

const maxNamed = 20;

/** Joins the reasons, cut to the length of a header. */
export function refuseCall(reasons: readonly string[]): CallRefusal {
  const named = reasons.slice(0, maxNamed);
  const more = reasons.length > named.length ? [`${reasons.length - named.length} more`] : [];
  return { refusal: [...named, ...more].join('; ') };
}
