/**
 * Invokes one client method. The arguments are the text of a JSON array, so that they are serialised once for all
 * clients. .NET clients drop an invocation with an unexpected number of arguments.
 */
export type HubInvocation = { readonly target: string; readonly argumentsJson: string };

/**
 * Invocations that are sent together. Each wire format is encoded at most once per message object, however many
 * clients receive it. `cursor` is the position of a classic client after it has received the message.
 */
export type HubMessage = {
  readonly invocations: readonly HubInvocation[];
  readonly cursor?: string | undefined;
};
