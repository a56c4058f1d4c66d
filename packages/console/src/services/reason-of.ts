import { ProblemError } from '@tocsin/client';

/** Why a request was refused, in the words of the server. */
export const reasonOf = (error: unknown): string =>
  error instanceof ProblemError ? (error.detail ?? error.title) : String(error);
