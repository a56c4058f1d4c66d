import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, ProblemError } from '@tocsin/client';

const mostTries = 20;
const longestWaitSeconds = 30;

/** An API that waits when the server asks to slow down, as it does when many objects are written at once. */
export function patientApi(api: Api): Api {
  const patiently = async <Result>(send: () => Promise<Result>): Promise<Result> => {
    for (let tries = 1; ; tries++) {
      try {
        return await send();
      } catch (error) {
        const isBusy = error instanceof ProblemError && error.status === 429;
        if (!isBusy || tries === mostTries) throw error;
        const seconds = Math.min(longestWaitSeconds, error.retryAfterSeconds ?? 1);
        await sleep(seconds * 1_000);
      }
    }
  };
  return {
    baseUrl: api.baseUrl,
    get: (path, query, options) => patiently(() => api.get(path, query, options)),
    post: (path, body, options) => patiently(() => api.post(path, body, options)),
    put: (path, body, options) => patiently(() => api.put(path, body, options)),
    remove: (path, options) => patiently(() => api.remove(path, options)),
  };
}
