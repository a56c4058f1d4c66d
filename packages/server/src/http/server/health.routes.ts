import { Type } from 'typebox';
import { ProblemError } from '../../common/problem.ts';
import type { HttpApp } from '../http-app.ts';
import type { Drain } from './drain.ts';

const Healthy = Type.Object({ status: Type.Literal('ok') }, { title: 'Healthy' });

export type Health = {
  drain: Drain;
  readiness: () => Promise<string | undefined>;
  /** Undefined if this process has no dispatch role. */
  dispatching?: { fault(): string | undefined } | undefined;
};

/** Why requests cannot be served; undefined if they can. */
export async function readinessFault({ drain, readiness }: Health): Promise<string | undefined> {
  return drain.isDraining() ? 'The server is stopping' : readiness();
}

/** Probes: `livez` checks the process, `readyz` that requests can be served, `dispatchz` that people are called in time. */
export function healthRoutes(app: HttpApp, health: Health): void {
  const config = { permission: 'public', unlimited: true } as const;
  app.get(
    '/livez',
    {
      config,
      schema: { tags: ['health'], summary: 'Whether the process runs', response: { 200: Healthy } },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/readyz',
    {
      config,
      schema: { tags: ['health'], summary: 'Whether it can serve requests', response: { 200: Healthy } },
    },
    async () => {
      const fault = await readinessFault(health);
      if (fault !== undefined)
        throw new ProblemError('unavailable', fault, { headers: { 'retry-after': '2' } });
      return { status: 'ok' as const };
    },
  );

  app.get(
    '/dispatchz',
    {
      config,
      schema: { tags: ['health'], summary: 'Whether people are called in time', response: { 200: Healthy } },
    },
    async () => {
      const fault = health.dispatching?.fault();
      if (fault !== undefined)
        throw new ProblemError('unavailable', fault, { headers: { 'retry-after': '5' } });
      return { status: 'ok' as const };
    },
  );
}
