/** Why a token opens no door: for the log, never for whoever presented it. */
export type Refused = { readonly refused: string };

export function isRefused(outcome: object): outcome is Refused {
  return 'refused' in outcome;
}
