import type { Logger } from 'pino';

/** Something the server does by itself, again and again. */
export type Job = { readonly name: string; readonly everyMs: number; run(): Promise<void> };

export type Upkeep = {
  /** Starts nothing more and waits for what is under way. */
  stop(): Promise<void>;
};

/**
 * Runs each job at once and then again `everyMs` after it ended, so that a job never overlaps itself. One that
 * fails is logged and tried again at its next turn.
 */
export function startUpkeep(jobs: readonly Job[], log: Logger): Upkeep {
  const stopping = new AbortController();
  const loops = jobs.map((job) => repeat(job, log, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function repeat({ name, everyMs, run }: Job, log: Logger, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      await run();
    } catch (error) {
      log.error({ err: error, job: name }, 'upkeep job failed');
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
