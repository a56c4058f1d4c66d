/** A statement as data: it is built in one place, and sent together with others in another. */
export type Statement = {
  /** The server prepares statements with a name once for each connection. */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
};
