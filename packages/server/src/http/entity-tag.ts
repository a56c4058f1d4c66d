import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';

export function entityTag(version: number): string {
  return `"${version}"`;
}

/** Refuses to overwrite what the caller has not seen. Without `If-Match` the last writer wins. */
export function requireVersion(request: Pick<FastifyRequest, 'headers'>, version: number): void {
  const wanted = request.headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  const tags = wanted.split(',').map((tag) => tag.trim());
  if (tags.includes(entityTag(version))) return;
  throw new ProblemError('stale-version', `The current ETag is ${entityTag(version)}`, {
    headers: { etag: entityTag(version) },
  });
}
