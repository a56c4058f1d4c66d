import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';

type Heard<Argument> = { atMs: number; argument: Argument };

/** An attempt to reach somebody, as the hub and the timeline of an alarm show it. */
export type ShownAttempt = {
  attemptId: number;
  userId: number;
  user: string;
  callGroupId: number;
  medium: string;
  address: string;
  attempt: number;
  status: string;
  reason: string;
  endTime?: string;
  ackTime?: string;
};

export type CallMessage = {
  kind: string;
  call: { id: number; alarmId: number; closedReason?: string };
  attempt?: ShownAttempt;
};
export type SoundMessage = { alarmId: number; name: string; occasion: string };

/** A console that subscribes to calls and sounds, and reconnects after each loss of the connection. */
export type HubConsole = {
  readonly calls: Heard<CallMessage>[];
  readonly sounds: Heard<SoundMessage>[];
  kinds(alarmId: number): string[];
  stop(): Promise<void>;
};

/** `onSubscribed` runs after each subscription, so that a console can read the current state. */
export async function openConsole(
  hubUrl: string,
  token: string,
  onSubscribed: () => Promise<void> = async () => {},
): Promise<HubConsole> {
  const calls: Heard<CallMessage>[] = [];
  const sounds: Heard<SoundMessage>[] = [];
  const connection = new HubConnectionBuilder()
    .withUrl(`${hubUrl}/alarmHub`, { accessTokenFactory: () => token })
    .withAutomaticReconnect({ nextRetryDelayInMilliseconds: () => 200 })
    .configureLogging(LogLevel.None)
    .build();
  connection.on('onCallChanged', (argument: CallMessage) => calls.push({ atMs: Date.now(), argument }));
  connection.on('onPlaySound', (argument: SoundMessage) => sounds.push({ atMs: Date.now(), argument }));
  const subscribe = async () => {
    await connection.invoke('subscribe', { calls: true, sounds: true });
    await onSubscribed();
  };
  connection.onreconnected(() => void subscribe().catch(() => undefined));
  await connection.start();
  await subscribe();
  return {
    calls,
    sounds,
    kinds: (alarmId) =>
      calls.filter(({ argument: { call } }) => call.alarmId === alarmId).map(({ argument }) => argument.kind),
    stop: () => connection.stop(),
  };
}
