/** Something wrong with the installation, and what to do about it. The part of the name before the dot is its group. */
export type Fault = { readonly name: string; readonly problem: string; readonly remedy: string };

/** The fault as one sentence, for a server that does not start. */
export function describeFault({ problem, remedy }: Fault): string {
  return `${problem}: ${remedy}`;
}
