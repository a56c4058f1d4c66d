import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Gives work to a script in a process of its own, and waits for what it says came of it. */
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
