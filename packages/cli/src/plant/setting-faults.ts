import type { ChannelKind } from '@tocsin/contract';
import { suggestion } from '../common/closest-name.ts';
import type { Entry, Fault } from './kind.ts';

type Setting = { readonly writeOnly?: boolean };

/**
 * The settings of a channel that its kind does not have, and secrets that are written into the file itself. The server would
 * drop the first, and a file with secrets cannot be shown to anybody.
 */
export function settingFaults(entry: Entry, kinds: readonly ChannelKind[]): Fault[] {
  const { kind: name, settings = {} } = entry as { kind: string; settings?: Record<string, unknown> };
  const kind = kinds.find((one) => one.kind === name);
  const names = kinds.map((one) => one.kind);
  if (!kind) {
    const message = `there is no kind "${name}".${suggestion(name, names)} The kinds are ${names.join(', ')}.`;
    return [{ place: ['kind'], message }];
  }
  const { properties = {} } = kind.settings as { properties?: Record<string, Setting> };
  return Object.entries(settings).flatMap(([setting, value]) => {
    const message = faultOf(setting, value, properties);
    return message === undefined ? [] : [{ place: ['settings', setting], message }];
  });
}

function faultOf(name: string, value: unknown, known: Readonly<Record<string, Setting>>): string | undefined {
  const names = Object.keys(known);
  const setting = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!setting)
    return `there is no setting "${name}".${suggestion(name, names)} The settings are ${names.join(', ')}.`;
  const hasFile = typeof value === 'object' && value !== null && 'secretFile' in value;
  if (setting.writeOnly === true && !hasFile)
    return `${name} is a secret: put it into a file, and write ${name}: { secretFile: FILE }.`;
  if (setting.writeOnly !== true && hasFile) return `${name} is not a secret: write its value.`;
  return undefined;
}
