import { textResponse } from '../http/http-response.ts';
import { attachTransport } from './attach-transport.ts';
import { authorizeHubs, findOrAddClient, type Refused } from './authorize-request.ts';
import { type ClassicClient, resumeCursorOf } from './classic-client.ts';
import type { ClassicContext } from './classic-context.ts';
import type { ConnectionRequest } from './connection-request.ts';
import { replyText } from './transports/json-reply.ts';
import { ClassicLongPollingTransport } from './transports/long-polling-transport.ts';
import { initText } from './transports/persistent-response.ts';

const tryAgainLater: Refused = { refused: textResponse(503, 'Try again later') };

/** `/connect` with long polling. Responds at once, because the messages are sent with the polls. */
export async function connectLongPolling<User>(
  context: ClassicContext<User>,
  request: ConnectionRequest<User>,
): Promise<Refused | undefined> {
  const hubs = authorizeHubs(context, request.query);
  if ('refused' in hubs) return hubs;
  const found = findOrAddClient(context, request.identity, request.claims);
  if ('refused' in found) return found;
  const isStarted = await attachLongPolling(context, request, {
    client: found.client,
    isSubscribed: hubs.isSubscribed,
    transport: createTransport(context),
    sendInit: (cursor, groupsToken) => replyText(request.reply, initText(cursor, groupsToken)),
  });
  return isStarted ? undefined : tryAgainLater;
}

/** `/poll`, and `/reconnect` with long polling. Continues the transport, or attaches a new one at the client's cursor. */
export async function poll<User>(
  context: ClassicContext<User>,
  request: ConnectionRequest<User>,
): Promise<Refused | undefined> {
  const hubs = authorizeHubs(context, request.query);
  if ('refused' in hubs) return hubs;
  const found = findOrAddClient(context, request.identity, request.claims);
  if ('refused' in found) return found;
  const { client } = found;
  let transport = transportToContinue(client, request);
  if (transport === undefined) {
    const newTransport = createTransport(context);
    const isStarted = await attachLongPolling(context, request, {
      client,
      isSubscribed: hubs.isSubscribed,
      transport: newTransport,
      sendInit: (_, groupsToken) => {
        if (groupsToken !== undefined) newTransport.sendGroupsToken(groupsToken);
      },
    });
    if (!isStarted) return tryAgainLater;
    transport = newTransport;
  }
  transport.poll(request.reply, request.parameters.messageId, context.server.clock());
  return undefined;
}

/** A renewed token needs a new transport, because its permissions may differ. */
function transportToContinue<User>(
  { connection }: ClassicClient<User>,
  { parameters, identity }: ConnectionRequest<User>,
): ClassicLongPollingTransport | undefined {
  if (!(connection?.transport instanceof ClassicLongPollingTransport)) return undefined;
  if (connection.identity.expiresAt !== identity.expiresAt) return undefined;
  return connection.transport.canContinueFrom(parameters.messageId) ? connection.transport : undefined;
}

type LongPolling<User> = {
  readonly client: ClassicClient<User>;
  readonly isSubscribed: boolean;
  readonly transport: ClassicLongPollingTransport;
  sendInit(cursor: string, groupsToken: string | undefined): void;
};

function attachLongPolling<User>(
  context: ClassicContext<User>,
  { identity, parameters }: ConnectionRequest<User>,
  { client, ...longPolling }: LongPolling<User>,
): Promise<boolean> {
  const { groupsToken } = parameters;
  const cursor = parameters.messageId ?? resumeCursorOf(client);
  const request = { identity, transportType: 'longPolling', cursor, groupsToken, ...longPolling } as const;
  return attachTransport(context, client, request).started;
}

function createTransport<User>({ server, timeouts }: ClassicContext<User>): ClassicLongPollingTransport {
  const { framer, limits } = server;
  const { maxPendingBytes } = limits;
  const { connectionTimeoutMs, keepAliveIntervalMs } = timeouts;
  return new ClassicLongPollingTransport({
    framer,
    maxPendingBytes,
    connectionTimeoutMs,
    keepAliveIntervalMs,
  });
}
