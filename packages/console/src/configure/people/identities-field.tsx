import type { UserIdentity } from '@tocsin/contract';
import { Button } from '../../frame/button.tsx';
import { useWords } from '../../words/use-words.ts';
import { Tool } from '../core/tool.tsx';

type Props = {
  readonly value: readonly UserIdentity[];
  readonly onChange: (value: readonly UserIdentity[]) => void;
};

/** The identities of a person at outside issuers of tokens. */
export function IdentitiesField({ value, onChange }: Props) {
  const words = useWords().configurePeople;
  const change = (index: number, part: Partial<UserIdentity>) =>
    onChange(value.map((each, at) => (at === index ? { ...each, ...part } : each)));
  return (
    <div className="identities">
      <ol>
        {value.map(({ issuer, subject }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an identity is its place in the list.
          <li key={index}>
            <span className="input">
              <input
                aria-label={words.issuer(index + 1)}
                placeholder="https://…"
                value={issuer}
                maxLength={512}
                required
                onChange={({ target }) => change(index, { issuer: target.value })}
              />
            </span>
            <span className="input">
              <input
                aria-label={words.subject(index + 1)}
                value={subject}
                maxLength={255}
                required
                onChange={({ target }) => change(index, { subject: target.value })}
              />
            </span>
            <Tool
              icon="x"
              label={words.identityRemove(index + 1)}
              onClick={() => onChange(value.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ol>
      <Button
        label={words.addIdentity}
        icon="plus"
        kind="sm ghost"
        disabled={value.length >= 16}
        onClick={() => onChange([...value, { issuer: '', subject: '' }])}
      />
    </div>
  );
}
