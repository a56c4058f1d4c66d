import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { keepOutput } from './kept-output.ts';
import { parameterFault } from './parameter-fault.ts';
import { type GroupLeader, signalGroup, startTicksOf } from './process-group.ts';
import { bareOutcome, type Program, type RunOutcome } from './runner-messages.ts';

export type RunningProgram = {
  /** Asks the process group to end, and kills it if it does not. */
  stop(): void;
  /** Kills the process group at once. */
  kill(): void;
};

export type ProgramReports = {
  onStarted: (leader: GroupLeader) => void;
  onEnded: (outcome: RunOutcome) => void;
};

/** Time between SIGTERM and SIGKILL. */
const graceMs = 1_000;
/** Time for the last output to arrive: a process that left the group may hold the pipe open. */
const lastOutputMs = 500;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Runs one program without a shell, with an empty environment and in its own process group. Returns undefined if it was
 * refused or could not be started, which is also reported.
 */
export function runProgram(
  program: Program,
  { onStarted, onEnded }: ProgramReports,
): RunningProgram | undefined {
  const fault = parameterFault(program.rule, program.parameter);
  if (fault !== undefined) {
    onEnded(bareOutcome('refused', fault));
    return undefined;
  }
  const failed = (error: unknown) =>
    onEnded(
      bareOutcome(
        'failed',
        `it could not be started: ${error instanceof Error ? error.message : String(error)}`,
      ),
    );
  try {
    const child = start(program);
    child.once('error', failed);
    if (child.pid === undefined) return undefined;
    const leader = { pid: child.pid, startTicks: requireStart(child) };
    onStarted(leader);
    return watch(child, { leader, program, onEnded });
  } catch (error) {
    failed(error);
    return undefined;
  }
}

/** The process is not reaped yet, so its id is not reused. */
function requireStart(child: Child): string {
  const startTicks = startTicksOf(child.pid ?? 0);
  if (startTicks !== undefined) return startTicks;
  child.kill('SIGKILL');
  throw new Error('this system does not tell when a process started');
}

function start({ argv, rule, parameter, cwd, as, within }: Program): Child {
  const given = rule === undefined ? argv : [...argv, '--', parameter];
  // Each program replaces itself with the next one and keeps its process id.
  const [file = '', ...args] = [...(as ? asOther(as) : []), ...(within ? limited(within) : []), ...given];
  return spawn(file, args, { shell: false, env: {}, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
}

function asOther({ setpriv, uid, gid }: NonNullable<Program['as']>): string[] {
  return [
    setpriv,
    '--no-new-privs',
    '--inh-caps=-all',
    `--regid=${gid}`,
    '--init-groups',
    `--reuid=${uid}`,
    '--',
  ];
}

const bytesPerMegabyte = 1_048_576;

function limited({ prlimit, limits }: NonNullable<Program['within']>): string[] {
  const bytes = (megabytes: number | undefined) => megabytes && megabytes * bytesPerMegabyte;
  const wanted = {
    as: bytes(limits.memoryMegabytes),
    cpu: limits.cpuSeconds,
    fsize: bytes(limits.fileMegabytes),
    nofile: limits.openFiles,
    nproc: limits.processes,
    core: 0,
  };
  const options = Object.entries(wanted).flatMap(([name, max]) =>
    max === undefined ? [] : [`--${name}=${max}:${max}`],
  );
  return [prlimit, ...options, '--'];
}

function watch(
  child: Child,
  {
    leader,
    program,
    onEnded,
  }: { leader: GroupLeader; program: Program; onEnded: (outcome: RunOutcome) => void },
): RunningProgram {
  const output = keepOutput();
  child.stdout.on('data', (chunk: Buffer) => output.add(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.add(chunk));
  let ending: 'timed-out' | 'stopped' | undefined;
  let force: NodeJS.Timeout | undefined;
  const end = (as: 'timed-out' | 'stopped') => {
    if (ending !== undefined) return;
    ending = as;
    signalGroup(leader, 'SIGTERM');
    force = setTimeout(() => signalGroup(leader, 'SIGKILL'), graceMs);
  };
  const limit = setTimeout(() => end('timed-out'), program.timeoutMs);

  child.once('exit', (exitCode, signal) => {
    clearTimeout(limit);
    clearTimeout(force);
    // Kills processes that the program left behind.
    signalGroup(leader, 'SIGKILL');
    const finish = () => {
      clearTimeout(wait);
      child.off('close', finish);
      child.stdout.destroy();
      child.stderr.destroy();
      const { isCut: outputCut } = output;
      onEnded({
        ...judge({ exitCode, signal, ending }),
        exitCode,
        signal: signal ?? '',
        output: output.text(),
        outputCut,
      });
    };
    const wait = setTimeout(finish, lastOutputMs);
    child.once('close', finish);
  });
  return { stop: () => end('stopped'), kill: () => void signalGroup(leader, 'SIGKILL') };
}

function judge({
  exitCode,
  signal,
  ending,
}: {
  exitCode: number | null;
  signal: string | null;
  ending: 'timed-out' | 'stopped' | undefined;
}): Pick<RunOutcome, 'status' | 'reason'> {
  if (ending === 'timed-out') return { status: 'timed-out', reason: 'it took longer than it may' };
  if (ending === 'stopped') return { status: 'stopped', reason: 'it was ended' };
  if (exitCode === 0) return { status: 'done', reason: '' };
  return {
    status: 'failed',
    reason: exitCode === null ? `it ended by ${signal}` : `it ended with ${exitCode}`,
  };
}
