import type { ChannelBody } from '@tocsin/contract';
import type { MediumKind } from '@tocsin/domain';
import { Errors } from 'typebox/value';
import { invalid } from '../common/problem.ts';
import { faultMessage } from '../http/server/fault-message.ts';
import { renameFor } from '../http/server/member-names.ts';
import { channelRegistry } from './kinds/channel-registry.ts';
import type { ChannelKind } from './port/channel.ts';
import { guardNames, secretNames } from './port/setting-schemas.ts';

export type Secrets = Readonly<Record<string, string>>;

/** A channel before its secrets are sealed. */
export type ChannelRecord = {
  name: string;
  kind: string;
  medium: MediumKind;
  priority: number;
  enabled: boolean;
  settings: Record<string, unknown>;
  secrets: Secrets;
};

/** The members of a replaced channel that stay if the request leaves them out. */
export type FormerChannel = Omit<ChannelRecord, 'name'>;

const newChannel = { priority: 1, enabled: true };

/** Reads a channel from a request. Throws a problem that names the wrong member. */
export function channelRecord(body: ChannelBody, former?: FormerChannel): ChannelRecord {
  const { name, priority, enabled } = { ...(former ?? newChannel), ...body };
  const kind = channelRegistry.get(body.kind);
  if (!kind) throw invalid('/kind', `must be one of ${[...channelRegistry.keys()].join(', ')}`);
  const kept = former?.kind === body.kind ? former : undefined;
  const medium = mediumOf(body, kind, kept);

  const rename = renameFor(kind.settings);
  const given = (rename?.(body.settings) ?? {}) as Record<string, unknown>;
  const settings = pick(given, plainSettingNames(kind));
  const secrets = mergeSecrets(kind, given, kept);
  requireSecretsForNewTarget(kind, { settings, given, kept });
  const fault = Errors(kind.settings, { ...settings, ...secrets })[0];
  if (fault) throw invalid(`/settings${faultPath(fault)}`, faultMessage(fault, kind.settings));
  return { name, kind: body.kind, medium, priority, enabled, settings, secrets };
}

function mediumOf({ medium: asked }: ChannelBody, { media }: ChannelKind, kept?: FormerChannel): MediumKind {
  const medium = asked ?? kept?.medium ?? media[0];
  if (medium === undefined || !media.includes(medium))
    throw invalid('/medium', `must be one of ${media.join(', ')}`);
  return medium;
}

/** The names of the secrets that a body sets or removes. */
export function givenChannelSecrets(body: ChannelBody): string[] {
  const kind = channelRegistry.get(body.kind);
  if (!kind) return [];
  const given = (renameFor(kind.settings)?.(body.settings) ?? {}) as Record<string, unknown>;
  return secretNames(kind.settings).filter((name) => Object.hasOwn(given, name));
}

function plainSettingNames({ settings }: ChannelKind): string[] {
  const secret = new Set(secretNames(settings));
  return Object.keys(settings.properties).filter((name) => !secret.has(name));
}

/** A secret that is left out keeps its value, an empty one is removed. */
function mergeSecrets(kind: ChannelKind, given: Record<string, unknown>, kept?: FormerChannel): Secrets {
  const names = secretNames(kind.settings);
  const merged = { ...pick(kept?.secrets ?? {}, names), ...pick(given, names) };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== '')) as Secrets;
}

/** A request that points a channel to another server must contain the secrets, because they would be sent there. */
function requireSecretsForNewTarget(
  { settings: schema }: ChannelKind,
  {
    settings,
    given,
    kept,
  }: { settings: Record<string, unknown>; given: object; kept: FormerChannel | undefined },
): void {
  if (kept === undefined) return;
  const changed = guardNames(schema).find((name) => settings[name] !== kept.settings[name]);
  const missing = secretNames(schema).find((name) => name in kept.secrets && !(name in given));
  if (changed !== undefined && missing !== undefined)
    throw invalid(`/settings/${missing}`, `must be sent again when ${changed} changes`);
}

function pick(from: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}

function faultPath({ instancePath, params }: { instancePath: string; params?: unknown }): string {
  const missing = (params as { requiredProperties?: string[] } | undefined)?.requiredProperties?.[0];
  return missing === undefined ? instancePath : `${instancePath}/${missing}`;
}
