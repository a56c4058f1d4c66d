import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { readJson } from '../port/read-json.ts';
import { createNetstringReader, writeNetstring } from './netstring.ts';

/** An event of baresip. */
export type ControlEvent = { readonly type: string; readonly param: string };

/** The control socket of one baresip process. */
export type ControlConnection = {
  /** Sends a command and returns what baresip prints; undefined without an answer in time. */
  command(name: string, params?: string): Promise<string | undefined>;
  close(): void;
};

export type ControlListener = {
  onEvent(event: ControlEvent): void;
  /** baresip has ended, or has closed the connection. */
  onClosed(): void;
};

const connectEveryMs = 20;
const replyMs = 2_000;

const Frame = Type.Union([
  Type.Object({
    response: Type.Literal(true),
    ok: Type.Optional(Type.Boolean()),
    data: Type.Optional(Type.String()),
    token: Type.Optional(Type.String()),
  }),
  Type.Object({ event: Type.Literal(true), type: Type.String(), param: Type.Optional(Type.String()) }),
]);

/** Connects as soon as baresip listens; undefined if it does not in time. */
export async function openControl(
  port: number,
  listener: ControlListener,
  { withinMs, isAlive }: { withinMs: number; isAlive: () => boolean },
): Promise<ControlConnection | undefined> {
  const deadline = performance.now() + withinMs;
  while (isAlive() && performance.now() < deadline) {
    const socket = await tryConnect(port);
    if (socket) return controlOver(socket, listener);
    await sleep(connectEveryMs);
  }
  return undefined;
}

function tryConnect(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('error', () => resolve(undefined));
    socket.once('connect', () => resolve(socket));
  });
}

function controlOver(socket: Socket, listener: ControlListener): ControlConnection {
  const waiting = new Map<string, (data: string | undefined) => void>();
  let tokens = 0;
  socket.on(
    'data',
    createNetstringReader((text) => {
      const frame = readJson(Frame, text);
      if (!frame) return;
      if ('event' in frame) listener.onEvent({ type: frame.type, param: frame.param ?? '' });
      else waiting.get(frame.token ?? '')?.(frame.data ?? '');
    }),
  );
  // `close` follows every error.
  socket.on('error', () => {});
  socket.once('close', () => {
    for (const answer of waiting.values()) answer(undefined);
    listener.onClosed();
  });
  return {
    command: (command, params = '') =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve(undefined);
        tokens += 1;
        const token = String(tokens);
        const answer = (data: string | undefined) => {
          clearTimeout(timer);
          waiting.delete(token);
          resolve(data);
        };
        const timer = setTimeout(() => answer(undefined), replyMs);
        waiting.set(token, answer);
        socket.write(writeNetstring(JSON.stringify({ command, params, token })));
      }),
    close: () => void socket.destroy(),
  };
}
