import type { Duplex } from 'node:stream';
import { sendAnswer, sendRefusal, textAnswer } from '../answer.ts';
import type { FamilyContext, FamilyEntrance } from '../family.ts';
import { preflightAnswer } from '../origin.ts';
import { ConnectionTable } from './connection-table.ts';
import { exchange, finish, negotiate } from './core-http.ts';
import { upgradeCore } from './core-upgrade.ts';

const notHere = textAnswer(404, 'Not found');
const badOrigin = textAnswer(403, 'This origin is not allowed');
const failed = textAnswer(500, 'The server failed');

const isHubPath = (path: string) => path === '' || path === '/';

/** ASP.NET Core SignalR on plain Node requests. */
export function createCoreFamily<User>(context: FamilyContext<User>): FamilyEntrance {
  const table = new ConnectionTable(context);
  return {
    handle: async (request, response, path) => {
      const cors = context.origins(request);
      if (cors === undefined) return sendAnswer(response, badOrigin);
      if (request.method === 'OPTIONS') return sendAnswer(response, preflightAnswer(request), cors);
      const each = { request, response, cors };
      try {
        if (path === '/negotiate') finish(each, await negotiate(context, table, each));
        else finish(each, isHubPath(path) ? await exchange(context, table, each) : notHere);
      } catch (error) {
        context.log.error({ err: error }, 'hub request failed');
        finish(each, failed);
      }
    },
    upgrade: async (request, socket, head, path) => {
      keepQuiet(socket);
      const refused = await upgradeOrRefuse();
      if (refused !== undefined) sendRefusal(socket, refused);

      async function upgradeOrRefuse() {
        if (context.origins(request) === undefined) return badOrigin;
        if (!isHubPath(path)) return notHere;
        try {
          return await upgradeCore(context, table, { request, socket, head });
        } catch (error) {
          context.log.error({ err: error }, 'hub upgrade failed');
          return failed;
        }
      }
    },
  };
}

/** A client that goes away while it is let in is no fault of the server's. */
function keepQuiet(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
}
