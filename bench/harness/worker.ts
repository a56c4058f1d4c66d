import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Sends work to a script in its own process and waits for the result. */
export function askWorker<Answer extends object>(script: URL, work: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const worker = fork(fileURLToPath(script), { execArgv: [] });
    let answer: Answer | undefined;
    worker.once('message', (message) => {
      answer = message as Answer;
      worker.disconnect();
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      if (answer) resolve(answer);
      else reject(new Error(`${script.pathname} ended with ${code} before it answered`));
    });
    worker.send(work);
  });
}
