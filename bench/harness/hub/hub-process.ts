import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A script in a process of its own that may hold ten thousand sockets, and answers each command with a message. */
export type HubProcess = {
  readonly pid: number;
  ask<Answer>(command: object): Promise<Answer>;
  stop(): Promise<void>;
};

export function startProcess(script: URL): HubProcess {
  const command = 'ulimit -n 20000; exec "$0" "$@"';
  const args = ['-c', command, process.execPath, '--conditions=source', fileURLToPath(script)];
  const child: ChildProcess = spawn('bash', args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  return {
    // Of the shell, which the script then takes the place of.
    pid: child.pid ?? 0,
    ask: async <Answer>(command: object) => {
      child.send(command);
      const failed = ended.then(() => Promise.reject(new Error(`${script.pathname} ended`)));
      const [answer] = (await Promise.race([once(child, 'message'), failed])) as [Answer];
      return answer;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
