/** How the program ends. Scripts rely on the numbers: they never change their meaning. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  notAllowed: 3,
  unreachable: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The meaning of each exit code, for help and documentation. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  1: 'failed: the server refused the request, or a part of it',
  2: 'wrong usage: the command line or the plant file is wrong, and nothing was sent',
  3: 'not allowed: the token or password is wrong or lacks a permission, or a second person must approve',
  4: 'the server cannot be reached, or cannot answer now: the same command can be repeated',
};
