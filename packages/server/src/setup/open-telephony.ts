import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Telephony } from '../channels/port/telephony.ts';
import { endLeftOvers } from '../channels/sip/worker-directory.ts';
import { createSpeech } from '../channels/speech/create-speech.ts';
import type { Config } from '../settings/config.ts';
import { speechSettingsOf } from '../settings/speech-settings.ts';
import { callFolderOf, portRange } from '../settings/telephony-settings.ts';

/** Opens what telephone calls need, and ends calls that a dead server of this machine has left behind. */
export async function openTelephony(
  config: Config,
  log: Logger,
): Promise<Telephony & { close(): Promise<void> }> {
  const directory = callFolderOf(config);
  const ended = await endLeftOvers(directory);
  if (ended > 0) log.warn({ calls: ended }, 'telephone calls of a server that has died were ended');
  const settings = speechSettingsOf(config);
  // baresip works in another folder.
  const speech = createSpeech({ ...settings, directory: resolve(settings.directory) }, log);
  return { speech, directory, ports: portRange(config.sipPorts), close: () => speech.close() };
}
