import { connect, type Socket } from 'node:net';

/** Another client of the same NATS that subscribes to everything and publishes anything. */
export type NatsIntruder = {
  readonly heard: readonly { readonly subject: string; readonly text: string }[];
  publish(subject: string, text: string | Buffer): void;
  /** Resolves when NATS has processed everything published. */
  flush(): Promise<void>;
  close(): void;
};

/** Implements the NATS protocol itself, independent of the product. Fails if NATS refuses the connection. */
export async function intrudeNats(port: number): Promise<NatsIntruder> {
  const socket = connect(port, '127.0.0.1');
  const heard: { subject: string; text: string }[] = [];
  const flushing: { resolve: () => void; reject: (reason: Error) => void }[] = [];
  const refuse = (reason: Error) => {
    for (const { reject } of flushing.splice(0)) reject(reason);
  };
  socket.on('error', refuse);
  socket.on('close', () => refuse(new Error('NATS has closed the connection')));
  readLines(socket, (line, payload) => {
    if (line.startsWith('MSG ')) heard.push({ subject: line.split(' ')[1] ?? '', text: payload });
    else if (line === 'PING') socket.write('PONG\r\n');
    else if (line === 'PONG') flushing.shift()?.resolve();
    else if (line.startsWith('-ERR')) refuse(new Error(line));
  });
  const flush = () =>
    new Promise<void>((resolve, reject) => {
      flushing.push({ resolve, reject });
      socket.write('PING\r\n');
    });
  socket.write('CONNECT {"verbose":false,"pedantic":false,"echo":false}\r\nSUB > 1\r\n');
  await flush();
  return {
    heard,
    publish: (subject, text) => {
      const payload = Buffer.from(text);
      socket.write(
        Buffer.concat([Buffer.from(`PUB ${subject} ${payload.length}\r\n`), payload, Buffer.from('\r\n')]),
      );
    },
    flush,
    close: () => socket.destroy(),
  };
}

/** Lines end with CRLF; the last word of `MSG …` is the number of bytes that follow it. */
function readLines(socket: Socket, onLine: (line: string, payload: string) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf('\r\n');
      if (end < 0) return;
      const line = rest.toString('latin1', 0, end);
      const size = line.startsWith('MSG ') ? Number(line.split(' ').at(-1)) + 2 : 0;
      if (rest.length < end + 2 + size) return;
      onLine(line, size === 0 ? '' : rest.toString('utf8', end + 2, end + size));
      rest = rest.subarray(end + 2 + size);
    }
  });
}
