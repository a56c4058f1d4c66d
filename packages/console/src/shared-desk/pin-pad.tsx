import { Button } from '../frame/button.tsx';
import { useWords } from '../words/use-words.ts';

type Props = { readonly value: string; readonly onChange: (digits: string) => void };

const most = 8;
const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** The digits of a PIN, by keyboard or by large buttons for a touch screen. */
export function PinPad({ value, onChange }: Props) {
  const words = useWords().sharedDesk;
  const change = (text: string) => onChange(text.replaceAll(/\D/g, '').slice(0, most));
  const key = (digit: string) => (
    <Button
      key={digit}
      label={digit}
      aria-label={words.digit(digit)}
      onClick={() => change(`${value}${digit}`)}
    />
  );
  return (
    <>
      <label className="fld">
        <span>{words.pin}</span>
        <span className="input tall codefield">
          <input
            autoFocus
            type="password"
            inputMode="numeric"
            autoComplete="off"
            value={value}
            onChange={({ target }) => change(target.value)}
          />
        </span>
      </label>
      <div className="pinpad">
        {digits.map(key)}
        <span />
        {key('0')}
        <Button
          label="⌫"
          aria-label={words.deleteDigit}
          disabled={value === ''}
          onClick={() => onChange(value.slice(0, -1))}
        />
      </div>
    </>
  );
}
