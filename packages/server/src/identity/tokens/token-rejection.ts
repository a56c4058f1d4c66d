/** Why a token is not accepted. For the log only: the client never learns the reason. */
export type TokenRejection = { readonly rejected: string };

export function isRejection(outcome: object): outcome is TokenRejection {
  return 'rejected' in outcome;
}
