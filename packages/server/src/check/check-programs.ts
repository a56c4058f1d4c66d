import type { Logger } from 'pino';
import { openCommandList } from '../commands/open-commands.ts';
import type { Config, ReadSettings } from '../settings/config.ts';
import { createTelephony } from '../setup/open-telephony.ts';
import { error, type Finding, ok, orOk } from './finding.ts';
import type { TenantStates } from './tenant-state.store.ts';

/** The list of programs that alarms may run. */
export function checkCommands({ commandsFile }: ReadSettings, log: Logger): readonly Finding[] {
  const read = openCommandList(commandsFile, log);
  const faults = 'faults' in read ? read.faults : [];
  const remedy = 'correct the file, or unset COMMANDS_FILE';
  const found = faults.map((fault) => error('programs.commands', fault, remedy));
  return orOk(found, 'programs.commands', commandsFile ? 'The list is valid' : 'Alarms run no programs');
}

/** The channel that lets programs of this machine speak. */
const speakingKind = 'sip';

/** Whether something can be spoken, if there are telephone calls. */
export async function checkSpeech(
  { tenants }: TenantStates,
  config: Config,
  log: Logger,
): Promise<readonly Finding[]> {
  const isNeeded = tenants.some(({ channels }) => channels.some(({ kind }) => kind === speakingKind));
  if (!isNeeded) return [ok('programs.speech', 'No channel needs a program that speaks')];
  const { speech } = createTelephony(config, log);
  const health = await speech.check();
  await speech.close();
  if (health.works) return [ok('programs.speech', 'A program speaks')];
  const install =
    'install espeak-ng (`apt-get install espeak-ng`), or correct SPEECH_PROFILES (docs/voice.md)';
  return [error('programs.speech', `Telephone calls would only beep: ${health.reason}`, install)];
}
