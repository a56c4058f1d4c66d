import { useId } from 'react';
import { useWords } from '../words/use-words.ts';
import type { Field, Values } from './schema-fields.ts';

type Props = {
  readonly fields: readonly Field[];
  readonly values: Values;
  /** The secrets that are set already. */
  readonly secretsSet?: readonly string[];
  readonly isDisabled?: boolean;
  readonly onChange: (name: string, value: string) => void;
};

/** A form drawn from the description of a kind of channel. */
export function SettingsFields({ fields, values, secretsSet = [], isDisabled = false, onChange }: Props) {
  return fields.map((field) => (
    <SettingField
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      isSet={secretsSet.includes(field.name)}
      isDisabled={isDisabled}
      onChange={(value) => onChange(field.name, value)}
    />
  ));
}

type FieldProps = {
  readonly field: Field;
  readonly value: string;
  readonly isSet: boolean;
  readonly isDisabled: boolean;
  readonly onChange: (value: string) => void;
};

function SettingField(props: FieldProps) {
  const words = useWords().channels;
  const { field, isSet } = props;
  const { title, description, isRequired, type, byDefault } = field;
  const note =
    type === 'secret' ? (isSet ? words.secretSet : words.secretNote) : isRequired ? '' : words.optional;
  const id = useId();
  return (
    <div className="fr">
      <span>
        <label htmlFor={id}>{title}</label>
        {note !== '' && <em>{note}</em>}
      </span>
      <Control {...props} id={id} />
      <small id={`${id}-about`}>
        {plainText(description)}
        {byDefault !== '' && type !== 'choice' && type !== 'boolean' && ` ${words.byDefault(byDefault)}`}
      </small>
    </div>
  );
}

/** Descriptions mark words with backticks, as documents do. */
const plainText = (text: string) => text.replaceAll('`', '');

type ControlProps = FieldProps & { readonly id: string };

function Control({ field, value, isSet, isDisabled, id, onChange }: ControlProps) {
  const words = useWords().channels;
  const { type, choices, byDefault, isRequired, minimum, maximum } = field;
  if (type === 'choice' || type === 'boolean')
    return <Choice field={field} value={value} isDisabled={isDisabled} id={id} onChange={onChange} />;
  if (type === 'long')
    return (
      <textarea
        id={id}
        aria-describedby={`${id}-about`}
        className="area-in"
        rows={3}
        value={value}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  return (
    <span className="input sm3">
      <input
        id={id}
        aria-describedby={`${id}-about`}
        type={type === 'secret' ? 'password' : type === 'number' ? 'number' : 'text'}
        autoComplete={type === 'secret' ? 'new-password' : 'off'}
        value={value}
        required={isRequired && !isSet}
        disabled={isDisabled}
        {...(minimum !== undefined && { min: minimum })}
        {...(maximum !== undefined && { max: maximum })}
        placeholder={isSet ? words.secretKept : type === 'list' ? choices.join(', ') : byDefault}
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  );
}

function Choice({ field, value, isDisabled, id, onChange }: Omit<ControlProps, 'isSet'>) {
  const words = useWords().channels;
  const { type, choices, byDefault, isRequired } = field;
  const names: Record<string, string> = type === 'boolean' ? { true: words.yes, false: words.no } : {};
  const options = type === 'boolean' ? ['true', 'false'] : choices;
  return (
    <span className="input sm3">
      <select
        id={id}
        aria-describedby={`${id}-about`}
        value={value}
        required={isRequired}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">
          {byDefault === '' ? words.choose : words.byDefault(names[byDefault] ?? byDefault)}
        </option>
        {options.map((option) => (
          <option key={option} value={option}>
            {names[option] ?? option}
          </option>
        ))}
      </select>
    </span>
  );
}
