import { isJsonTooDeep } from '../codec/nesting.ts';
import { type Hub, type HubConnection, HubError, type HubMethod } from '../hub.ts';
import { stateBytes } from './classic-timings.ts';

/** What a client asks of the hub: `{"H":"alarmhub","M":"Subscribe","A":[],"I":0}`. */
export type MethodCall = {
  readonly hubName: string;
  readonly method: string;
  readonly args: readonly unknown[];
  /** Comes back with the result. */
  readonly id: string | undefined;
};

const longestId = 64;

/** Undefined when it is not one. */
export function readMethodCall(text: string): MethodCall | undefined {
  const call = isJsonTooDeep(text) ? undefined : parse(text);
  if (typeof call !== 'object' || call === null) return undefined;
  const { H: hubName, M: method, A: args = [], I: id, S: state } = call as Record<string, unknown>;
  if (typeof hubName !== 'string' || typeof method !== 'string' || !Array.isArray(args)) return undefined;
  if (!isId(id) || isTooMuch(state)) return undefined;
  return { hubName, method, args, id: id === undefined ? undefined : String(id) };
}

export type Caller<User> = {
  /** The answer as text; undefined when none is wanted. */
  call(connection: HubConnection<User>, call: MethodCall): Promise<string | undefined>;
};

/** `onError` gets what clients are not told. */
export function createCaller<User>(
  hub: Hub<User>,
  onError: (error: unknown, method: string) => void,
): Caller<User> {
  const methods = new Map<string, HubMethod<User>>(
    Object.entries(hub.methods).map(([name, method]) => [name.toLowerCase(), method]),
  );
  const run = async (connection: HubConnection<User>, { hubName, method, args }: MethodCall) => {
    if (hubName.toLowerCase() !== hub.name.toLowerCase()) {
      throw new HubError(`'${hubName.slice(0, 100)}' Hub could not be resolved.`);
    }
    const found = methods.get(method.toLowerCase());
    if (found === undefined) throw new HubError(`'${method.slice(0, 100)}' method could not be resolved.`);
    const result = await found(connection, ...args);
    if (isStream(result))
      throw new HubError(`'${method}' answers a stream, which this protocol does not have.`);
    return result;
  };
  return {
    call: async (connection, call) => {
      try {
        const result = await run(connection, call);
        return call.id === undefined ? undefined : JSON.stringify({ I: call.id, R: result });
      } catch (error) {
        if (!(error instanceof HubError)) onError(error, call.method);
        return call.id === undefined ? undefined : failureText(call, error);
      }
    },
  };
}

/** `H` marks an error that was meant for the client. */
function failureText({ id, hubName, method }: MethodCall, error: unknown): string {
  if (error instanceof HubError) return JSON.stringify({ I: id, E: error.message, H: true });
  return JSON.stringify({ I: id, E: `There was an error invoking Hub method '${hubName}.${method}'.` });
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function isId(id: unknown): id is string | number | undefined {
  if (typeof id === 'string') return id.length <= longestId;
  return id === undefined || typeof id === 'number';
}

function isTooMuch(state: unknown): boolean {
  return state !== undefined && Buffer.byteLength(JSON.stringify(state)) > stateBytes;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
