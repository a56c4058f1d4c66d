import { type TObject, Type } from 'typebox';

/**
 * Marks in a setting's schema. `writeOnly`: a secret. `guardsSecrets`: determines where secrets are sent, so a change
 * must contain the secrets again.
 */
type SettingMarks = { writeOnly?: boolean; guardsSecrets?: boolean };

/** A setting that is stored sealed and never returned. */
export function secretText(rules: { title: string; description: string; pattern?: string }) {
  return Type.String({ minLength: 1, maxLength: 1_024, ...rules, writeOnly: true });
}

/** A certificate authority in PEM, besides or instead of the public ones. */
export function authorityText(description: string) {
  return Type.String({ maxLength: 16_384, title: 'Certificate authority', description, guardsSecrets: true });
}

function namesMarked(settings: TObject, mark: keyof SettingMarks): string[] {
  return Object.entries(settings.properties).flatMap(([name, schema]) =>
    (schema as SettingMarks)[mark] === true ? [name] : [],
  );
}

export function secretNames(settings: TObject): string[] {
  return namesMarked(settings, 'writeOnly');
}

export function guardNames(settings: TObject): string[] {
  return namesMarked(settings, 'guardsSecrets');
}
