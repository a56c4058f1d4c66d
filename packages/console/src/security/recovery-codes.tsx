import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { saveFile } from '../tags/save-file.ts';
import { useWords } from '../words/use-words.ts';

type Props = { readonly codes: readonly string[]; readonly onKept: () => void };

/** Recovery codes, shown this once. The user goes on only after they say that they have kept them. */
export function RecoveryCodes({ codes, onKept }: Props) {
  const words = useWords().signInSteps;
  const [isKept, setIsKept] = useState(false);
  const [isCopied, setIsCopied] = useState(false);
  const text = codes.join('\n');
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return (
    <section className="recovery" aria-label={words.recoveryCodes}>
      <b>{words.recoveryCodes}</b>
      <p>{words.recoveryLead}</p>
      <ol>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <span className="buttons">
        <Button
          label={isCopied ? words.copied : words.copy}
          icon="copy"
          kind="sm"
          onClick={() => void copy()}
        />
        <Button label={words.print} icon="printer" kind="sm" onClick={() => print()} />
        <Button
          label={words.download}
          icon="download"
          kind="sm"
          onClick={() => saveFile('tocsin-recovery-codes.txt', `${location.host}\n\n${text}\n`, 'text/plain')}
        />
      </span>
      <label className="chk">
        <input type="checkbox" checked={isKept} onChange={({ target }) => setIsKept(target.checked)} />
        <span>{words.kept}</span>
      </label>
      <Button label={words.goOn} kind="primary" disabled={!isKept} onClick={onKept} />
    </section>
  );
}
