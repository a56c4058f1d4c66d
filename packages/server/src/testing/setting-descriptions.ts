import { Type } from 'typebox';
import { Settings } from '../settings/config.ts';
import { expectedValue, variableOf } from '../settings/setting.ts';

/** A setting, as the documentation shows it. */
export type SettingDescription = {
  /** The member of the configuration, such as `databaseUrl`. */
  readonly setting: string;
  /** The variables that set it. */
  readonly variables: readonly string[];
  /** Undefined if it has none. */
  readonly preset: string | undefined;
  readonly isRequired: boolean;
  /** The values that are accepted; empty if every text is. */
  readonly accepts: string;
  readonly description: string;
};

type Described = {
  default?: string | number | boolean | readonly unknown[];
  description: string;
  file?: 'also' | 'only';
};

/** All settings of the server, in their order. */
export function settingDescriptions(): SettingDescription[] {
  return Object.entries(Settings.properties).map(([setting, schema]) => {
    const { default: preset, description, file } = schema as unknown as Described;
    const variable = variableOf(setting);
    const variables = { also: [variable, `${variable}_FILE`], only: [`${variable}_FILE`] };
    return {
      setting,
      variables: file ? variables[file] : [variable],
      preset: preset === undefined || String(preset) === '' ? undefined : String(preset),
      isRequired: preset === undefined && !Type.IsOptional(schema),
      accepts: expectedValue(schema),
      description,
    };
  });
}
