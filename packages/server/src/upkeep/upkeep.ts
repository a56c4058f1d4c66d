import type { Logger } from 'pino';

/** A periodic job of the server. */
export type Job = { readonly name: string; readonly everyMs: number; run(): Promise<void> };

export type Upkeep = {
  /** Starts no more jobs and waits for the running ones. */
  stop(): Promise<void>;
};

/**
 * Runs each job at once and then again `everyMs` after it ended, so that a job never overlaps itself. A failed job is
 * logged and runs again at its next time.
 */
export function startUpkeep(
  jobs: readonly Job[],
  log: Logger,
  onFailure: (job: string) => void = () => undefined,
): Upkeep {
  const stopping = new AbortController();
  const report = (job: string, error: unknown) => {
    log.error({ err: error, job }, 'upkeep job failed');
    onFailure(job);
  };
  const loops = jobs.map((job) => repeat(job, report, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function repeat(
  { name, everyMs, run }: Job,
  report: (job: string, error: unknown) => void,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      await run();
    } catch (error) {
      report(name, error);
    }
    await pause(everyMs, stopping);
  }
}

function pause(ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stopping.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      stopping.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stopping.addEventListener('abort', end);
  });
}
