import type { SecondStep } from '@tocsin/client';

/** Somebody whose password was right, and who has a second factor. */
export type Halfway = { readonly username: string; readonly step: SecondStep };
