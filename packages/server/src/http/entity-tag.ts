import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../common/problem.ts';

export function entityTag(version: number): string {
  return `"${version}"`;
}

/** Refuses to overwrite a version that the caller has not seen. Without `If-Match` the last writer wins. */
export function requireVersion(request: Pick<FastifyRequest, 'headers'>, version: number): void {
  const expected = request.headers['if-match'];
  if (expected === undefined || expected.trim() === '*') return;
  const tags = expected.split(',').map((tag) => tag.trim());
  if (tags.includes(entityTag(version))) return;
  throw new ProblemError('stale-version', `The current ETag is ${entityTag(version)}`, {
    headers: { etag: entityTag(version) },
  });
}
