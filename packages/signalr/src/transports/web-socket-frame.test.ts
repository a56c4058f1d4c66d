import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { webSocketFrame } from './web-socket-frame.ts';

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Sends the frame to a `ws` client and returns the received message. */
async function read(frame: Buffer): Promise<[Buffer, boolean]> {
  const server = createServer((socket) => {
    socket.once('data', (head) => {
      const key = /sec-websocket-key: (.+)\r/i.exec(head.toString())?.[1] ?? '';
      const accept = createHash('sha1')
        .update(key + guid)
        .digest('base64');
      const lines = [
        'HTTP/1.1 101 OK',
        'Connection: Upgrade',
        'Upgrade: websocket',
        `Sec-WebSocket-Accept: ${accept}`,
      ];
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      socket.write(frame);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    return await new Promise((resolve, reject) => {
      client.on('message', (data: Buffer, isBinary) => resolve([data, isBinary]));
      client.on('error', reject);
    });
  } finally {
    client.terminate();
    server.close();
  }
}

test.for([
  [0, 2],
  [125, 2],
  [126, 4],
  [65_535, 4],
  [65_536, 10],
  [200_000, 10],
])(
  'a payload of %i bytes has a header of %i bytes and is received unchanged',
  async ([length = 0, head = 0]) => {
    const payload = Buffer.alloc(length, 'x');
    const frame = webSocketFrame(payload, 'text');
    expect(frame.length - payload.length).toBe(head);
    expect(await read(frame)).toEqual([payload, false]);
    expect(await read(webSocketFrame(payload, 'binary'))).toEqual([payload, true]);
  },
);
