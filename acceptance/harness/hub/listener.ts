import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';

/** A client of the hub, of either protocol. */
export type HubListener = {
  /** The paths of the alarms it received, in order. */
  paths(): readonly string[];
  stop(): Promise<void>;
};

/** The official client of ASP.NET Core SignalR. */
export async function listenCore(
  base: string,
  token: string,
  options: { transport: HttpTransportType; skipNegotiation?: boolean },
): Promise<HubListener> {
  const paths: string[] = [];
  const connection = new HubConnectionBuilder()
    .withUrl(`${base}/alarmHub`, { accessTokenFactory: () => token, ...options })
    .configureLogging(LogLevel.None)
    .build();
  connection.on('onAlarm', ({ path }: { path: string }) => paths.push(path));
  await connection.start();
  return { paths: () => paths, stop: () => connection.stop() };
}

export const coreTransports = {
  webSockets: { transport: HttpTransportType.WebSockets },
  'webSockets without negotiation': { transport: HttpTransportType.WebSockets, skipNegotiation: true },
  serverSentEvents: { transport: HttpTransportType.ServerSentEvents },
  longPolling: { transport: HttpTransportType.LongPolling },
} as const;
