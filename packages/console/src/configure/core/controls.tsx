import { type ReactNode, useId } from 'react';
import { useWords } from '../../words/use-words.ts';
import { IdentitiesField } from '../people/identities-field.tsx';
import { MediaField } from '../people/media-field.tsx';
import { ActionsField } from '../scenarios/actions-field.tsx';
import { ChoicesField } from '../security/choices-field.tsx';
import { GroupRolesField } from '../security/group-roles-field.tsx';
import type { Field, FieldKind } from './fields.ts';
import { ReferenceList, ReferenceSelect } from './reference-fields.tsx';
import { choiceName, textOf } from './use-tell.ts';

export type ControlProps<Kind extends FieldKind = FieldKind> = {
  readonly id: string;
  readonly label: string;
  readonly field: Extract<Field, { kind: Kind }>;
  readonly value: unknown;
  /** The object itself, which cannot refer to itself. */
  readonly ownId: number | undefined;
  readonly onChange: (value: unknown) => void;
};

/** What changes a value of each kind. */
export const controls: { readonly [Kind in FieldKind]: (props: ControlProps<Kind>) => ReactNode } = {
  text: TextInput,
  secret: SecretInput,
  zone: ZoneInput,
  number: NumberInput,
  toggle: Toggle,
  choice: Choice,
  choices: ({ label, field, value, onChange }) => (
    <ChoicesField label={label} choices={field.choices} value={value as never} onChange={onChange} />
  ),
  groupRoles: ({ value, onChange }) => <GroupRolesField value={value as never} onChange={onChange} />,
  lines: Lines,
  moment: Moment,
  kept: () => null,
  reference: ({ id, field, value, ownId, onChange }) => (
    <ReferenceSelect id={id} field={field} value={Number(value)} ownId={ownId} onChange={onChange} />
  ),
  references: ({ field, label, value, onChange }) => (
    <ReferenceList field={field} label={label} value={value as readonly number[]} onChange={onChange} />
  ),
  media: ({ value, onChange }) => <MediaField value={value as never} onChange={onChange} />,
  identities: ({ value, onChange }) => <IdentitiesField value={value as never} onChange={onChange} />,
  actions: ({ label, value, onChange }) => (
    <ActionsField label={label} value={value as never} onChange={onChange} />
  ),
};

function TextInput({ id, field, value, onChange }: ControlProps<'text'>) {
  if (field.isLong)
    return (
      <textarea
        id={id}
        className="area-in"
        rows={4}
        maxLength={field.maxLength ?? 256}
        value={textOf(value)}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  return (
    <span className="input">
      <input
        id={id}
        autoComplete="off"
        required={field.isRequired === true}
        maxLength={field.maxLength ?? 256}
        value={textOf(value)}
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  );
}

function SecretInput({ id, field, value, onChange }: ControlProps<'secret'>) {
  const text = textOf(value);
  return (
    <span className="input">
      <input
        id={id}
        type="password"
        autoComplete="new-password"
        minLength={text === '' ? undefined : field.minLength}
        maxLength={1_024}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  );
}

/** A time zone. The browser knows all names. */
function ZoneInput({ id, value, onChange }: ControlProps<'zone'>) {
  const list = useId();
  return (
    <span className="input">
      <input
        id={id}
        list={list}
        maxLength={64}
        value={textOf(value)}
        placeholder="UTC"
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={list}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </span>
  );
}

function NumberInput({ id, field, value, onChange }: ControlProps<'number'>) {
  const words = useWords().configure;
  return (
    <span className="input">
      <input
        id={id}
        type="number"
        min={field.min}
        max={field.max}
        value={textOf(value)}
        placeholder={words.byDefault}
        onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
      />
    </span>
  );
}

function Toggle({ id, value, onChange }: ControlProps<'toggle'>) {
  const words = useWords().configure;
  return (
    <span className="switch">
      <input
        id={id}
        type="checkbox"
        checked={value === true}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{value === true ? words.yes : words.no}</span>
    </span>
  );
}

function Choice({ id, field, value, onChange }: ControlProps<'choice'>) {
  const words = useWords();
  return (
    <span className="input">
      <select id={id} value={textOf(value)} onChange={({ target }) => onChange(target.value)}>
        {field.choices.map((choice) => (
          <option key={choice} value={choice}>
            {choiceName(words, choice)}
          </option>
        ))}
      </select>
    </span>
  );
}

function Lines({ id, value, onChange }: ControlProps<'lines'>) {
  return (
    <textarea
      id={id}
      className="area-in"
      rows={3}
      value={(value as readonly string[]).join('\n')}
      onChange={({ target }) => onChange(target.value === '' ? [] : target.value.split('\n'))}
    />
  );
}

function Moment({ id, value, onChange }: ControlProps<'moment'>) {
  return (
    <span className="input">
      <input
        id={id}
        type="datetime-local"
        value={textOf(value)}
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  );
}
