import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';

type Heard<Argument> = { atMs: number; argument: Argument };

export type CallTold = {
  kind: string;
  call: { id: number; alarmId: number; closedReason?: string };
  attempt?: { user: string; status: string };
};
export type SoundTold = { alarmId: number; name: string; occasion: string };

/** Somebody at a console of the hub who follows calls and sounds, and comes back whenever the hub is lost. */
export type HubConsole = {
  readonly calls: Heard<CallTold>[];
  readonly sounds: Heard<SoundTold>[];
  kinds(alarmId: number): string[];
  stop(): Promise<void>;
};

/** `onSubscribed` is what a console does each time it has subscribed: it reads how things stand. */
export async function openConsole(
  hubUrl: string,
  token: string,
  onSubscribed: () => Promise<void> = async () => {},
): Promise<HubConsole> {
  const calls: Heard<CallTold>[] = [];
  const sounds: Heard<SoundTold>[] = [];
  const connection = new HubConnectionBuilder()
    .withUrl(`${hubUrl}/alarmHub`, { accessTokenFactory: () => token })
    .withAutomaticReconnect({ nextRetryDelayInMilliseconds: () => 200 })
    .configureLogging(LogLevel.None)
    .build();
  connection.on('onCallChanged', (argument: CallTold) => calls.push({ atMs: Date.now(), argument }));
  connection.on('onPlaySound', (argument: SoundTold) => sounds.push({ atMs: Date.now(), argument }));
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
