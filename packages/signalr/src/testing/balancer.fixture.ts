import { createServer, request as openRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Gives each request and each upgrade to the next of the origins, and knows nothing of sessions. */
export async function startBalancer(origins: readonly string[]): Promise<{ url: string; given: string[] }> {
  const given: string[] = [];
  const next = () => {
    const origin = origins[given.length % origins.length] ?? '';
    given.push(origin);
    return new URL(origin);
  };
  const server = createServer((request, response) => {
    const { hostname, port } = next();
    const { method, url, headers } = request;
    const onward = openRequest({ hostname, port, method, path: url, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  server.on('upgrade', (request, socket) => {
    const { hostname, port } = next();
    const onward = openRequest({ hostname, port, path: request.url, headers: request.headers, agent: false });
    onward.on('upgrade', (answer, other) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      socket.pipe(other).pipe(socket);
      socket.on('error', () => other.destroy());
      other.on('error', () => socket.destroy());
    });
    onward.on('response', ({ statusCode }) => socket.end(`HTTP/1.1 ${statusCode} Refused\r\n\r\n`));
    onward.on('error', () => socket.destroy());
    onward.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alarmHub`, given };
}
