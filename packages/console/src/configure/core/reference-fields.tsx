import { useWords } from '../../words/use-words.ts';
import { type Field, moved } from './fields.ts';
import { useNames } from './item-queries.ts';
import { Tool } from './tool.tsx';

type ReferenceField = Extract<Field, { kind: 'reference' }>;
type ReferencesField = Extract<Field, { kind: 'references' }>;

const byName = ([, one]: readonly [number, string], [, other]: readonly [number, string]) =>
  one.localeCompare(other);

type OneProps = {
  readonly field: ReferenceField;
  readonly value: number;
  /** The object itself, which cannot refer to itself. */
  readonly ownId: number | undefined;
  readonly onChange: (id: number) => void;
  /** Of the control, for its label. */
  readonly id?: string;
  /** The name of the control, if it has no label. */
  readonly label?: string;
};

/** Another object, or none. */
export function ReferenceSelect({ id: controlId, field, value, ownId, onChange, label }: OneProps) {
  const words = useWords().configure;
  const names = useNames(field.of);
  const options = [...names].filter(([id]) => id !== ownId).toSorted(byName);
  return (
    <span className="input">
      <select
        {...(controlId !== undefined && { id: controlId })}
        {...(label !== undefined && { 'aria-label': label })}
        value={value}
        onChange={({ target }) => onChange(Number(target.value))}
      >
        <option value={0}>{words.nones[field.none]}</option>
        {value !== 0 && !names.has(value) && <option value={value}>{words.unknown(String(value))}</option>}
        {options.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}

type ManyProps = {
  readonly field: ReferencesField;
  readonly label: string;
  readonly value: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
};

/** Other objects, in an order if it matters. Each can be moved and removed without dragging. */
export function ReferenceList({ field, label, value, onChange }: ManyProps) {
  const words = useWords().configure;
  const names = useNames(field.of);
  const nameOf = (id: number) => names.get(id) ?? words.unknown(String(id));
  const options = [...names].filter(([id]) => !value.includes(id)).toSorted(byName);
  return (
    <div className="reflist">
      {value.length === 0 && <p className="muted">{words.nones[field.none]}</p>}
      <ol>
        {value.map((id, index) => (
          <li key={id}>
            {field.isOrdered && <span className="ordn">{index + 1}</span>}
            <span className="refname">{nameOf(id)}</span>
            {field.isOrdered && (
              <>
                <Tool
                  icon="arrow-up"
                  label={words.up(nameOf(id))}
                  isOff={index === 0}
                  onClick={() => onChange(moved(value, index, -1))}
                />
                <Tool
                  icon="arrow-down"
                  label={words.down(nameOf(id))}
                  isOff={index === value.length - 1}
                  onClick={() => onChange(moved(value, index, 1))}
                />
              </>
            )}
            <Tool
              icon="x"
              label={words.remove(nameOf(id))}
              onClick={() => onChange(value.filter((each) => each !== id))}
            />
          </li>
        ))}
      </ol>
      <span className="input">
        <select
          aria-label={words.addTo(label)}
          value=""
          disabled={options.length === 0}
          onChange={({ target }) => onChange([...value, Number(target.value)])}
        >
          <option value="">{options.length === 0 ? words.noMore : words.add}</option>
          {options.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </span>
    </div>
  );
}
