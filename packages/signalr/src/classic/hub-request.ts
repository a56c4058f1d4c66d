import { type Hub, type HubConnection, HubError, type HubMethod } from '../hub/hub.ts';
import { isJsonTooDeep } from '../protocols/nesting-limit.ts';
import { maxStateBytes } from './classic-limits.ts';

/** An invocation of a hub method: `{"H":"alarmhub","M":"Subscribe","A":[],"I":0}`. */
export type HubRequest = {
  readonly hubName: string;
  readonly method: string;
  readonly args: readonly unknown[];
  /** Returned with the result. */
  readonly id: string | undefined;
};

const maxIdLength = 64;

/** Returns undefined if the text is not a hub request. */
export function parseHubRequest(text: string): HubRequest | undefined {
  const value = isJsonTooDeep(text) ? undefined : parse(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { H: hubName, M: method, A: args = [], I: id, S: state } = value as Record<string, unknown>;
  if (typeof hubName !== 'string' || typeof method !== 'string' || !Array.isArray(args)) return undefined;
  if (!isId(id) || isStateTooLarge(state)) return undefined;
  return { hubName, method, args, id: id === undefined ? undefined : String(id) };
}

export type HubInvoker<User> = {
  /** Returns the hub response as text; undefined if the client expects none. */
  invoke(connection: HubConnection<User>, request: HubRequest): Promise<string | undefined>;
};

/** `onError` receives the errors whose text is not sent to clients. */
export function createHubInvoker<User>(
  hub: Hub<User>,
  onError: (error: unknown, method: string) => void,
): HubInvoker<User> {
  const methods = new Map<string, HubMethod<User>>(
    Object.entries(hub.methods).map(([name, method]) => [name.toLowerCase(), method]),
  );
  const run = async (connection: HubConnection<User>, { hubName, method, args }: HubRequest) => {
    if (hubName.toLowerCase() !== hub.name.toLowerCase()) {
      throw new HubError(`'${hubName.slice(0, 100)}' Hub could not be resolved.`);
    }
    const found = methods.get(method.toLowerCase());
    if (found === undefined) throw new HubError(`'${method.slice(0, 100)}' method could not be resolved.`);
    const result = await found(connection, ...args);
    if (isStream(result))
      throw new HubError(`'${method}' returns a stream, which this protocol does not support.`);
    return result;
  };
  return {
    invoke: async (connection, request) => {
      try {
        const result = await run(connection, request);
        return request.id === undefined ? undefined : JSON.stringify({ I: request.id, R: result });
      } catch (error) {
        if (!(error instanceof HubError)) onError(error, request.method);
        return request.id === undefined ? undefined : errorResponse(request, error);
      }
    },
  };
}

/** `H` marks a HubError. */
function errorResponse({ id, hubName, method }: HubRequest, error: unknown): string {
  if (error instanceof HubError) return JSON.stringify({ I: id, E: error.message, H: true });
  return JSON.stringify({ I: id, E: `There was an error invoking Hub method '${hubName}.${method}'.` });
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function isId(id: unknown): id is string | number | undefined {
  if (typeof id === 'string') return id.length <= maxIdLength;
  return id === undefined || typeof id === 'number';
}

function isStateTooLarge(state: unknown): boolean {
  return state !== undefined && Buffer.byteLength(JSON.stringify(state)) > maxStateBytes;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
