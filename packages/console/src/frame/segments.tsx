type Props<Value> = {
  readonly label: string;
  readonly hint?: string;
  readonly choices: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

/** One choice of a few, all of them visible. */
export function Segments<Value extends string | number | boolean>({
  label,
  hint,
  choices,
  value,
  onChange,
}: Props<Value>) {
  return (
    <div className="fld">
      <span>
        <span>{label}</span> {hint !== undefined && <em>{hint}</em>}
      </span>
      <span className="seg fit" role="group" aria-label={label}>
        {choices.map(([choice, name]) => (
          <button
            key={String(choice)}
            type="button"
            aria-pressed={choice === value}
            onClick={() => onChange(choice)}
          >
            {name}
          </button>
        ))}
      </span>
    </div>
  );
}
