import { type HubConnection, HubConnectionBuilder, HubConnectionState, LogLevel } from '@microsoft/signalr';
import type { AlarmChange, CallChange, HubFilter, Resumed, Sound } from '@tocsin/contract';
import { withinMs } from './within.ts';

/** What a connection tells. Nothing is told after it was dropped, except its end. */
export type LinkEvents = {
  onAlarmChange(change: AlarmChange): void;
  onCallChange(change: CallChange): void;
  onSound(sound: Sound): void;
  /** The server has sent something. */
  onHeard(): void;
};

/** One connection to the hub. It is never reconnected: a new one takes its place. */
export type HubLink = {
  /** Resolves when the connection has ended, and tells whether the server has ended it without an error. */
  readonly closed: Promise<{ byServer: boolean }>;
  /** Whether the token permits to read calls. */
  readonly hasCalls: boolean;
  /** Pushes the changes after a position, then answers; with null it only answers the present position. */
  resume(afterSeq: number | null): Promise<Resumed>;
  /** Asks for a sign of life. */
  ping(): void;
  /** Ends the connection at once, even if the network is gone. */
  drop(): void;
};

export type LinkOptions = { readonly baseUrl: string; readonly token: string };

const connectWithinMs = 4_000;
const answerWithinMs = 10_000;

/** Connects and subscribes to the calls and sounds that the token may see; `resume` asks for the changes of alarms. */
export async function openHubLink({ baseUrl, token }: LinkOptions, events: LinkEvents): Promise<HubLink> {
  const connection = new HubConnectionBuilder()
    .withUrl(`${baseUrl}/alarmHub`, { accessTokenFactory: () => token, withCredentials: false })
    .configureLogging(LogLevel.None)
    .build();
  let isDropped = false;
  const tell =
    <Event>(receive: (event: Event) => void) =>
    (event: Event) => {
      if (isDropped) return;
      events.onHeard();
      receive(event);
    };
  connection.on(
    'onAlarm',
    tell(() => {}),
  );
  connection.on('onAlarmChanged', tell(events.onAlarmChange));
  connection.on('onCallChanged', tell(events.onCallChange));
  connection.on('onPlaySound', tell(events.onSound));
  const ended = Promise.withResolvers<{ byServer: boolean }>();
  connection.onclose((error) => ended.resolve({ byServer: error === undefined }));
  const drop = () => {
    isDropped = true;
    ended.resolve({ byServer: false });
    void connection.stop().catch(() => undefined);
  };
  try {
    await withinMs(connection.start(), connectWithinMs);
    const hasCalls = await subscribe(connection);
    const heard = () => {
      if (!isDropped && connection.state === HubConnectionState.Connected) events.onHeard();
    };
    return {
      closed: ended.promise,
      hasCalls,
      resume: (afterSeq) => withinMs(connection.invoke<Resumed>('resume', afterSeq), answerWithinMs),
      // A server that does not know the method answers with an error, which is a sign of life, too.
      ping: () => void connection.invoke('ping').then(heard, heard),
      drop,
    };
  } catch (error) {
    drop();
    throw error;
  }
}

/** Whether the server has refused the token, rather than being away. SignalR tells the status in the text of the error only. */
export const isTokenRefused = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("Status code '401'");

/**
 * Answers whether calls are pushed; a token without the right to read them gets the rest. Changes are left to `resume`:
 * those that are pushed before it would be taken for the next ones, and the missed ones before them for old.
 */
async function subscribe(connection: HubConnection): Promise<boolean> {
  const filter: HubFilter = { sounds: true };
  try {
    await withinMs(connection.invoke('subscribe', { ...filter, calls: true }), answerWithinMs);
    return true;
  } catch {
    await withinMs(connection.invoke('subscribe', filter), answerWithinMs);
    return false;
  }
}
