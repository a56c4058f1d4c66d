import { HubConnectionBuilder, HubConnectionState, LogLevel } from '@microsoft/signalr';
import { WebSocket } from 'ws';

/** A client that connects again whenever its connection ends. */
export type ReconnectingClient = {
  readonly name: string;
  /** The paths of the alarms it received, in order, over all of its connections. */
  readonly paths: string[];
  /** How often the server made it reconnect. */
  reconnects(): number;
  isConnected(): boolean;
  stop(): Promise<void>;
};

const retryMs = 300;

/** The official client of ASP.NET Core SignalR. With `resumes` it resumes after each reconnection. */
export async function reconnectCore(
  base: string,
  token: string,
  { resumes }: { resumes: boolean },
): Promise<ReconnectingClient> {
  const paths: string[] = [];
  let reconnects = 0;
  let last: number | null = null;
  const connection = new HubConnectionBuilder()
    .withUrl(`${base}/alarmHub`, { accessTokenFactory: () => token })
    .withAutomaticReconnect({ nextRetryDelayInMilliseconds: () => retryMs })
    .configureLogging(LogLevel.None)
    .build();
  connection.on('onAlarm', ({ path }: { path: string }) => paths.push(path));
  connection.on('onAlarmChanged', ({ seq }: { seq: number }) => {
    last = seq;
  });
  const resume = async () => {
    const { seq, gap } = await connection.invoke<{ seq: number; gap?: true }>('resume', last);
    last = gap ? seq : Math.max(last ?? 0, seq);
  };
  connection.onreconnecting((error) => {
    if (error?.message.includes('journal_changed')) reconnects += 1;
  });
  connection.onreconnected(() => void (resumes && resume().catch(() => connection.stop())));
  await connection.start();
  if (resumes) await resume();
  return {
    name: resumes ? 'Core with resume' : 'Core',
    paths,
    reconnects: () => reconnects,
    isConnected: () => connection.state === HubConnectionState.Connected,
    stop: () => connection.stop(),
  };
}

type Frame = { C?: string; S?: number; G?: string; M?: { M: string; A: [{ path: string }] }[] };

/** A classic client over a WebSocket, which reconnects with its cursor. */
export async function reconnectClassic(base: string, token: string): Promise<ReconnectingClient> {
  const common = { clientProtocol: '2.1', connectionData: '[{"name":"alarmhub"}]', access_token: token };
  const answer = await fetch(`${base}/signalr/negotiate?${new URLSearchParams(common)}`);
  const { ConnectionToken: connectionToken } = (await answer.json()) as { ConnectionToken: string };
  const paths: string[] = [];
  let [messageId, groupsToken, reconnects, isStopped] = ['', '', 0, false];
  let socket: WebSocket | undefined;
  const take = ({ C = messageId, G = groupsToken, M = [] }: Frame) => {
    [messageId, groupsToken] = [C, G];
    for (const { M: callback, A } of M) if (callback === 'onAlarm') paths.push(A[0].path);
  };
  const open = () => {
    const place = messageId === '' ? {} : { messageId, groupsToken };
    const query = new URLSearchParams({ ...common, transport: 'webSockets', connectionToken, ...place });
    const endpoint = messageId === '' ? 'connect' : 'reconnect';
    socket = new WebSocket(`${base.replace(/^http/, 'ws')}/signalr/${endpoint}?${query}`);
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => take(JSON.parse(data.toString()) as Frame));
    socket.on('close', () => {
      if (isStopped) return;
      reconnects += 1;
      setTimeout(open, retryMs);
    });
  };
  open();
  const hasBegun = () => messageId !== '';
  while (!hasBegun()) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    name: 'classic',
    paths,
    reconnects: () => reconnects,
    isConnected: () => socket?.readyState === WebSocket.OPEN,
    stop: async () => {
      isStopped = true;
      socket?.terminate();
    },
  };
}
