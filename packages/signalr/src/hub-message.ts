/**
 * One call of a client's callback, its arguments as the text of a JSON array: serialised once for all clients.
 * Clients of .NET drop a call whose number of arguments is not the one they expect.
 */
export type HubCall = { readonly target: string; readonly argumentsJson: string };

/**
 * What is pushed, made ready at most once per wire format however many clients get it. The classic cursor is where
 * a client is after it.
 */
export type HubMessage = { readonly calls: readonly HubCall[]; readonly cursor?: string | undefined };
