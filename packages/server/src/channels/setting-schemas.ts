import { type TObject, Type } from 'typebox';

/**
 * What a setting's schema says besides its type. `writeOnly`: a secret. `guardsSecrets`: it says where secrets are
 * sent to, so nobody may change it and keep secrets that he does not know.
 */
type SettingMarks = { writeOnly?: boolean; guardsSecrets?: boolean };

/** A setting that is sealed when it is kept and never read back. */
export function secretText(rules: { title: string; description: string; pattern?: string }) {
  return Type.String({ minLength: 1, maxLength: 1_024, ...rules, writeOnly: true });
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
