import { type MediaRule, mediumKinds } from '@tocsin/contract';
import { Button } from '../frame/button.tsx';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';

type Media = MediaRule['media'];
type Medium = Media[number];

type Props = { readonly media: Media; readonly onChange: (media: Media) => void };

/** In which order the user is called. Without a medium the time is quiet. */
export function RuleMedia({ media, onChange }: Props) {
  const words = useWords().account;
  return (
    <div className="rulemedia">
      <span>{words.calledOn}</span>
      {media.length === 0 && (
        <p className="quiet">
          <Icon name="moon" size={16} />
          <span>{words.quiet}</span>
        </p>
      )}
      <ol>
        {media.map((medium, index) => (
          <MediumLine
            // Media have no identity of their own, and one may occur again.
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the identity.
            key={index}
            medium={medium}
            isFirst={index === 0}
            onChange={(changed) =>
              onChange(media.flatMap((one, at) => (at === index ? (changed ? [changed] : []) : [one])))
            }
          />
        ))}
      </ol>
      <Button
        label={media.length === 0 ? words.callAfterAll : words.thenOn}
        icon="plus"
        kind="sm ghost"
        onClick={() => onChange([...media, { kind: 'Voice' }])}
      />
    </div>
  );
}

type LineProps = {
  readonly medium: Medium;
  readonly isFirst: boolean;
  readonly onChange: (medium: Medium | undefined) => void;
};

const minutes = [0, 1, 2, 5, 10, 15];

function MediumLine({ medium, isFirst, onChange }: LineProps) {
  const words = useWords();
  const { kind, afterSeconds, ...rest } = medium;
  const wait = (text: string) =>
    onChange(text === '' ? { ...rest, kind } : { ...rest, kind, afterSeconds: Number(text) * 60 });
  return (
    <li>
      <label className="chip">
        <select
          aria-label={words.account.medium}
          value={kind}
          onChange={({ target }) => onChange({ ...medium, kind: target.value as Medium['kind'] })}
        >
          {mediumKinds.map((one) => (
            <option key={one} value={one}>
              {words.media[one]}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" size={12} />
      </label>
      {!isFirst && (
        <label className="chip">
          <select
            aria-label={words.account.wait}
            value={afterSeconds === undefined ? '' : String(afterSeconds / 60)}
            onChange={({ target }) => wait(target.value)}
          >
            <option value="">{words.account.spread}</option>
            {minutes.map((one) => (
              <option key={one} value={one}>
                {words.account.afterMinutes(one)}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" size={12} />
        </label>
      )}
      <Button
        label=""
        aria-label={words.account.removeMedium(words.media[kind])}
        icon="x"
        kind="sm ghost"
        onClick={() => onChange(undefined)}
      />
    </li>
  );
}
