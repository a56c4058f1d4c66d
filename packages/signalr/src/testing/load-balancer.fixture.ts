import { createServer, request as openRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A round-robin load balancer without sticky sessions, for requests and upgrades. */
export async function startLoadBalancer(
  origins: readonly string[],
): Promise<{ url: string; assigned: string[] }> {
  const assigned: string[] = [];
  const next = () => {
    const origin = origins[assigned.length % origins.length] ?? '';
    assigned.push(origin);
    return new URL(origin);
  };
  const server = createServer((request, response) => {
    const { hostname, port } = next();
    const { method, url, headers } = request;
    const outgoing = openRequest({ hostname, port, method, path: url, headers, agent: false }, (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.headers);
      response.flushHeaders();
      incoming.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    request.pipe(outgoing);
  });
  server.on('upgrade', (request, socket) => {
    const { hostname, port } = next();
    const outgoing = openRequest({
      hostname,
      port,
      path: request.url,
      headers: request.headers,
      agent: false,
    });
    outgoing.on('upgrade', (incoming, other) => {
      const lines = Object.entries(incoming.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      socket.pipe(other).pipe(socket);
      socket.on('error', () => other.destroy());
      other.on('error', () => socket.destroy());
    });
    outgoing.on('response', ({ statusCode }) => socket.end(`HTTP/1.1 ${statusCode} Refused\r\n\r\n`));
    outgoing.on('error', () => socket.destroy());
    outgoing.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alarmHub`, assigned };
}
