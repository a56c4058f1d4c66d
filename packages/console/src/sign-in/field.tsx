type Props = {
  readonly label: string;
  readonly name: string;
  readonly hint?: string;
  readonly type?: string;
  readonly autoComplete?: string;
  readonly minLength?: number;
};

/** A field of a form before anybody is signed in. */
export function Field({ label, name, hint, type = 'text', autoComplete = 'off', minLength }: Props) {
  return (
    <label className="fld">
      <span>
        <span>{label}</span> {hint !== undefined && <em>{hint}</em>}
      </span>
      <span className="input tall">
        <input
          name={name}
          type={type}
          autoComplete={autoComplete}
          autoCapitalize="none"
          minLength={minLength}
          required
        />
      </span>
    </label>
  );
}
