import { spawn } from 'node:child_process';

export type ToolRun = {
  readonly argv: readonly string[];
  readonly input: Buffer;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

export type ToolResult =
  | { readonly kind: 'done'; readonly output: Buffer }
  /** `isMissing`: the program is not installed. */
  | { readonly kind: 'failed'; readonly reason: string; readonly isMissing: boolean };

/** Sixteen minutes of speech at 8 kHz, or six at 22 kHz. */
const maxOutputBytes = 16_000_000;

/** The settings of the server may hold passwords, so programs do not get its environment. */
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' };

/**
 * Runs a program without a shell, with a minimal environment and in its own process group, which is killed when the
 * program ends, takes too long or writes too much. Never rejects.
 */
export function runTool({ argv, input, cwd, timeoutMs, signal }: ToolRun): Promise<ToolResult> {
  const [program = '', ...args] = argv;
  if (signal.aborted) return Promise.resolve(failure('it was stopped'));
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: environment,
      shell: false,
      detached: true,
      // Errors are not read, because they may repeat the text, which belongs in no log.
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const output: Buffer[] = [];
    let bytes = 0;
    let stopped: string | undefined;
    const stop = (reason: string) => {
      stopped ??= reason;
      killGroup(child.pid);
    };
    const limit = setTimeout(() => stop(`it took longer than ${timeoutMs} ms`), timeoutMs);
    const onAbort = () => stop('it was stopped');
    signal.addEventListener('abort', onAbort, { once: true });
    const finish = (result: ToolResult) => {
      clearTimeout(limit);
      signal.removeEventListener('abort', onAbort);
      resolve(result);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxOutputBytes) stop('it wrote too much');
      else output.push(chunk);
    });
    child.once('error', (error: NodeJS.ErrnoException) =>
      finish(failure(error.message, error.code === 'ENOENT')),
    );
    // A process that the program left behind would keep the output open.
    child.once('exit', () => killGroup(child.pid));
    child.once('close', (code, by) => {
      const ending = code === null ? `it ended by ${by}` : `it ended with ${code}`;
      const reason = stopped ?? (code === 0 ? undefined : ending);
      finish(reason === undefined ? { kind: 'done', output: Buffer.concat(output) } : failure(reason));
    });
    // The program may end before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

const failure = (reason: string, isMissing = false): ToolResult => ({ kind: 'failed', reason, isMissing });

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}
