import { useWords } from '../words/use-words.ts';

type Props = {
  readonly value: string;
  readonly onChange: (code: string) => void;
  /** Six digits are there: no button has to be pressed. */
  readonly onFull: (code: string) => void;
  readonly isBusy?: boolean;
};

const digits = 6;

/** The code of the authenticator app. Spaces of a pasted code are left out. */
export function CodeField({ value, onChange, onFull, isBusy = false }: Props) {
  const words = useWords().signInSteps;
  const change = (text: string) => {
    const code = text.replaceAll(/\D/g, '').slice(0, digits);
    onChange(code);
    if (code.length === digits && code !== value) onFull(code);
  };
  return (
    <label className="fld">
      <span>{words.code}</span>
      <span className="input tall codefield">
        <input
          data-first
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          required
          readOnly={isBusy}
          value={value}
          onChange={({ target }) => change(target.value)}
        />
      </span>
    </label>
  );
}
