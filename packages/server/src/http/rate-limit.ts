import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '../common/problem.ts';
import { clientNetwork } from './client-network.ts';
import { TokenBuckets } from './token-buckets.ts';

export type RateLimits = { perSecond: number; intakePerSecond: number };

/** Charges a request to its sender, and throws if the sender has exceeded the limit. */
export type Charge = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Charges each request to its principal, or without one to its address. Requests that send alarms have buckets of their
 * own. Headers follow the IETF draft "RateLimit header fields for HTTP" (11).
 */
export function createRateLimit(
  { perSecond, intakePerSecond }: RateLimits,
  nowMs: () => number = () => performance.now(),
): Charge {
  const ordinary = { name: 'default', buckets: new TokenBuckets(perSecond, nowMs) };
  const intake = { name: 'intake', buckets: new TokenBuckets(intakePerSecond, nowMs) };

  return (request, reply) => {
    const { config } = request.routeOptions;
    if (config?.unlimited === true) return;
    const { name, buckets } = config?.intake === true && request.principal ? intake : ordinary;
    const { allowed, remaining, resetSeconds } = buckets.take(keyOf(request));
    reply.header('ratelimit-policy', `"${name}";q=${buckets.perSecond};w=1`);
    reply.header('ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`);
    if (allowed) return;
    throw new ProblemError('too-many-requests', `No more than ${buckets.perSecond} requests a second`, {
      headers: { 'retry-after': '1' },
    });
  };
}

function keyOf({ principal, ip }: FastifyRequest): string {
  return principal ? `${principal.tenantId} ${principal.subject}` : clientNetwork(ip);
}
