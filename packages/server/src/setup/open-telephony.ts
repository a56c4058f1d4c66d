import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Telephony } from '../channels/port/telephony.ts';
import { endLeftOvers } from '../channels/sip/worker-directory.ts';
import { createSpeech } from '../channels/speech/create-speech.ts';
import type { Speech } from '../channels/speech/speech.ts';
import type { Config } from '../settings/config.ts';
import { speechSettingsOf } from '../settings/speech-settings.ts';
import { callFolderOf, portRange } from '../settings/telephony-settings.ts';

/** Opens what telephone calls need, and ends calls that a dead server of this machine has left behind. */
export async function openTelephony(
  config: Config,
  log: Logger,
): Promise<Telephony & { close(): Promise<void> }> {
  const ended = await endLeftOvers(callFolderOf(config));
  if (ended > 0) log.warn({ calls: ended }, 'telephone calls of a server that has died were ended');
  const { speech, ...telephony } = createTelephony(config, log);
  return { ...telephony, speech, close: () => speech.close() };
}

/** What telephone calls need, without touching those that go on. */
export function createTelephony(config: Config, log: Logger): Telephony & { readonly speech: Speech } {
  const settings = speechSettingsOf(config);
  // baresip works in another folder.
  const speech = createSpeech({ ...settings, directory: resolve(settings.directory) }, log);
  return { speech, directory: callFolderOf(config), ports: portRange(config.sipPorts) };
}
