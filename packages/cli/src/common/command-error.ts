import { ProblemError } from '@tocsin/client';
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** An error that the user can correct: it is printed without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const wrongUsage = (message: string) => new CommandError(message, exitCodes.wrongUsage);

/** The exit code and the message of an error; undefined for a bug, whose stack is needed. */
export function explainError(error: unknown): { exitCode: ExitCode; message: string } | undefined {
  if (error instanceof CommandError) return { exitCode: error.exitCode, message: error.message };
  if (error instanceof ProblemError) return { exitCode: codeOf(error), message: explainProblem(error) };
  if (error instanceof Error && 'code' in error) {
    const code = String(error.code);
    if (code.startsWith('ERR_PARSE_ARGS_')) return { exitCode: exitCodes.wrongUsage, message: error.message };
    if (/^E[A-Z]+$/.test(code)) return { exitCode: exitCodes.failed, message: error.message };
  }
  return undefined;
}

function codeOf({ status, isTemporary, code }: ProblemError): ExitCode {
  if (isTemporary) return exitCodes.unreachable;
  const isRefusedLogIn = code === 'invalid_grant' || code === 'mfa_required';
  return status === 401 || status === 403 || isRefusedLogIn ? exitCodes.notAllowed : exitCodes.failed;
}

/** The sentence of the server with each wrong member, and the next step where there is a common one. */
function explainProblem(problem: ProblemError): string {
  const { title, detail, errors } = problem;
  const faults = errors.map(({ pointer, message }) => `  ${pointer} ${message}`);
  const said = detail === undefined || detail === title ? title : `${title}: ${detail}`;
  return [`${said}.`.replace(/\.\.$/, '.'), ...faults, ...nextStep(problem)].join('\n');
}

function nextStep({ status, code }: ProblemError): string[] {
  if (status === 0)
    return ['Check --url or TOCSIN_URL, and that the server runs: its /readyz answers when it is ready.'];
  if (code === 'mfa_required') return ['The account has a second factor: add --totp CODE.'];
  if (code === 'invalid_grant') return ['Check the user name and the password file.'];
  if (status === 401)
    return ['Get a new token with: tocsin token --user NAME --password-file FILE, or use an API key.'];
  if (code === 'too-many-requests') return ['Wait a little, then repeat the command.'];
  return [];
}
