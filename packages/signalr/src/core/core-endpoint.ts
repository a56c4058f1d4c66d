import type { Duplex } from 'node:stream';
import { preflightResponse } from '../http/cors.ts';
import { type HttpResponse, rejectUpgrade, sendResponse, textResponse } from '../http/http-response.ts';
import type { HubEndpoint } from '../runtime/hub-endpoint.ts';
import type { ServerContext } from '../runtime/server-context.ts';
import { ConnectionManager } from './connection-manager.ts';
import { handleTransportRequest, negotiate, sendResult } from './http-endpoints.ts';
import { handleUpgrade, type Upgrade } from './web-socket-endpoint.ts';

const notFound = textResponse(404, 'Not found');
const originNotAllowed = textResponse(403, 'This origin is not allowed');
const failed = textResponse(500, 'The server failed');

const isHubPath = (path: string) => path === '' || path === '/';

/** Serves ASP.NET Core SignalR clients. */
export function createCoreEndpoint<User>(context: ServerContext<User>): HubEndpoint {
  const manager = new ConnectionManager(context);
  return {
    handle: async (request, response, path) => {
      const corsHeaders = context.cors(request);
      if (corsHeaders === undefined) return sendResponse(response, originNotAllowed);
      if (request.method === 'OPTIONS')
        return sendResponse(response, preflightResponse(request), corsHeaders);
      const exchange = { request, response, corsHeaders };
      try {
        if (path === '/negotiate') sendResult(exchange, await negotiate(context, manager, exchange));
        else if (!isHubPath(path)) sendResult(exchange, notFound);
        else sendResult(exchange, await handleTransportRequest(context, manager, exchange));
      } catch (error) {
        context.log.error({ err: error }, 'hub request failed');
        sendResult(exchange, failed);
      }
    },
    upgrade: async (request, socket, head, path) => {
      ignoreSocketErrors(socket);
      const refused = await upgradeOrRefuse(context, manager, { request, socket, head }, path);
      if (refused !== undefined) rejectUpgrade(socket, refused);
    },
  };
}

async function upgradeOrRefuse<User>(
  context: ServerContext<User>,
  manager: ConnectionManager<User>,
  upgrade: Upgrade,
  path: string,
): Promise<HttpResponse | undefined> {
  if (context.cors(upgrade.request) === undefined) return originNotAllowed;
  if (!isHubPath(path)) return notFound;
  try {
    return await handleUpgrade(context, manager, upgrade);
  } catch (error) {
    context.log.error({ err: error }, 'hub upgrade failed');
    return failed;
  }
}

/** A client that disconnects during the upgrade is not an error of the server. */
function ignoreSocketErrors(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
}
