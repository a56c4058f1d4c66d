import { Button } from '../frame/button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { useKeyHint, useSingleKeys } from './single-keys.tsx';

type Keys = keyof ReturnType<typeof useWords>['keyHelp']['does'];

/** The keys by what they do, in the order of the help. Each inner list is one way to do it. */
const keys: readonly (readonly [Keys, readonly string[]])[] = [
  ['move', ['↑', '↓', 'J', 'K']],
  ['select', ['Space']],
  ['extend', ['⇧ ↑', '⇧ ↓']],
  ['open', ['↵']],
  ['acknowledge', ['A']],
  ['acknowledgeVisible', ['⇧A']],
  ['silence', ['M']],
  ['mask', ['S']],
  ['unmask', ['U']],
  ['reset', ['R']],
  ['comment', ['C']],
  ['call', ['⇧K']],
  ['search', ['/']],
  ['release', ['N']],
  ['freeze', ['Z']],
  ['flood', ['F']],
  ['back', ['Esc']],
  ['alarms', ['G', 'A']],
  ['areas', ['G', 'O']],
  ['roster', ['G', 'R']],
  ['shift', ['G', 'S']],
  ['history', ['G', 'H']],
  ['kpis', ['G', 'K']],
  ['tags', ['G', 'T']],
  ['help', ['?']],
];

/** All keys. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const hint = useKeyHint();
  const isSingle = useSingleKeys();
  const title = (
    <>
      <Icon name="circle-question-mark" size={20} />
      <span>{words.keys.title}</span>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} onSubmit={onClose}>
      <p>{isSingle ? words.keyHelp.single : words.keyHelp.alt}</p>
      <dl className="keylist">
        {keys.map(([name, own]) => (
          <div key={name}>
            <dt>
              {own.map((key) => (
                <kbd key={key}>{hint(key)}</kbd>
              ))}
            </dt>
            <dd>{words.keyHelp.does[name]}</dd>
          </div>
        ))}
      </dl>
      <div className="dlgact">
        <small>{words.keyHelp.settings}</small>
        <Button label={words.keys.close} kind="primary" type="submit" data-first hint="Esc" />
      </div>
    </Dialog>
  );
}
