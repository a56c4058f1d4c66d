import { type ReactNode, useId } from 'react';
import { type ControlProps, controls } from './controls.tsx';
import { FieldRow, useFieldNames } from './field-row.tsx';
import type { Field } from './fields.ts';

type Props = {
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
  readonly ownId: number | undefined;
  readonly isChanged: boolean;
  readonly fault: string | undefined;
  readonly onChange: (value: unknown) => void;
};

const groups: readonly Field['kind'][] = [
  'references',
  'media',
  'identities',
  'actions',
  'choices',
  'groupRoles',
];

/** One field of a form. Fields that another page changes are not shown. */
export function FieldInput({ name, field, value, ownId, isChanged, fault, onChange }: Props) {
  const id = useId();
  const named = field.label ?? name;
  const label = useFieldNames()(named);
  if (field.kind === 'kept') return null;
  const Control = controls[field.kind] as (props: ControlProps) => ReactNode;
  return (
    <FieldRow name={named} id={id} isChanged={isChanged} fault={fault} isGroup={groups.includes(field.kind)}>
      <Control id={id} label={label} field={field} value={value} ownId={ownId} onChange={onChange} />
    </FieldRow>
  );
}
