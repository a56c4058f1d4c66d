import type { ReactNode } from 'react';
import { useWords } from '../../words/use-words.ts';
import type { Fields } from './fields.ts';

type Props = {
  readonly name: string;
  readonly isChanged: boolean;
  /** What the server has against the value. */
  readonly fault?: string | undefined;
  /** The identifier of the control, which the label names. */
  readonly id: string;
  readonly children: ReactNode;
  /** A group of controls, which have labels of their own. */
  readonly isGroup?: boolean;
};

/** The name of a field, as it is shown. */
export function useFieldNames(fields: Fields = {}): (name: string) => string {
  const { configureFields, securityFields } = useWords();
  const words: Record<string, string> = { ...configureFields, ...securityFields };
  return (name) => words[fields[name]?.label ?? name] ?? name;
}

/** A label and its control, with what is changed and what is wrong. */
export function FieldRow({ name, id, isChanged, fault, children, isGroup = false }: Props) {
  const words = useWords();
  const names = useFieldNames();
  const hints: Record<string, string> = { ...words.configureHints, ...words.securityHints };
  const [label, hint] = [names(name), hints[name]];
  return (
    <div className="cf" {...(isGroup && { role: 'group', 'aria-label': label })}>
      <span className="cfhead">
        {isGroup ? <span>{label}</span> : <label htmlFor={id}>{label}</label>}
        {isChanged && <em>{words.configure.changed}</em>}
      </span>
      {children}
      {hint !== undefined && <small>{hint}</small>}
      {fault !== undefined && (
        <small className="fault" role="alert">
          {fault}
        </small>
      )}
    </div>
  );
}
