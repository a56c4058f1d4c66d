import type { Channel, ChannelBody, ChannelKind } from '@tocsin/contract';
import { type Field, fieldsOf, settingsOf, shownSettings, type Values, valuesOf } from './schema-fields.ts';

/** A channel while somebody writes it. */
export type ChannelDraft = {
  readonly kind: string;
  readonly medium: Channel['medium'];
  readonly name: string;
  readonly priority: string;
  readonly enabled: boolean;
  readonly values: Values;
};

const noValues: Values = {};

/** A new channel of the kind, behind those that the medium has already. */
export function newDraft(
  kind: ChannelKind,
  medium: Channel['medium'] | undefined,
  channels: readonly Channel[],
): ChannelDraft {
  const served = medium && kind.media.includes(medium) ? medium : (kind.media[0] ?? 'Voice');
  const others = channels.filter((channel) => channel.medium === served).map(({ priority }) => priority);
  return {
    kind: kind.kind,
    medium: served,
    name: kind.title,
    priority: String(Math.max(0, ...others) + 1),
    enabled: true,
    values: noValues,
  };
}

export function draftOf(channel: Channel, kind: ChannelKind): ChannelDraft {
  return {
    kind: channel.kind,
    medium: channel.medium,
    name: channel.name,
    priority: String(channel.priority),
    enabled: channel.enabled,
    values: valuesOf(fieldsOf(kind), channel.settings),
  };
}

export function bodyOf(draft: ChannelDraft, fields: readonly Field[]): ChannelBody {
  const { kind, medium, enabled } = draft;
  const settings = settingsOf(fields, draft.values);
  return { name: draft.name.trim(), kind, medium, priority: Number(draft.priority), enabled, settings };
}

/** The request as it may be shown. */
export function shownBody(draft: ChannelDraft, fields: readonly Field[]): ChannelBody {
  const body = bodyOf(draft, fields);
  return { ...body, settings: shownSettings(fields, body.settings ?? {}) };
}

/** A setting that two drafts have in different values. */
export type Difference = { readonly name: string; readonly theirs: string; readonly mine: string };

/** What differs. Secrets are not known, so they are compared with nothing. */
export function differencesOf(
  theirs: ChannelDraft,
  mine: ChannelDraft,
  { fields, names }: { fields: readonly Field[]; names: Record<'name' | 'priority' | 'enabled', string> },
): readonly Difference[] {
  const own = (['name', 'priority', 'enabled'] as const).map((member) => ({
    name: names[member],
    theirs: String(theirs[member]),
    mine: String(mine[member]),
  }));
  const settings = fields
    .filter(({ type }) => type !== 'secret')
    .map(({ name, title }) => ({
      name: title,
      theirs: theirs.values[name] ?? '',
      mine: mine.values[name] ?? '',
    }));
  return [...own, ...settings].filter((each) => each.theirs !== each.mine);
}
