import { Link } from '@tanstack/react-router';
import type { User, UserMedium } from '@tocsin/contract';
import { useMay } from '../../services/use-may.ts';
import { Icon } from '../../symbols/icon.tsx';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';
import type { Item, ItemChanges } from '../core/collection.ts';
import { PersonSecurity } from '../security/person-security.tsx';
import { Confirmation } from './confirmation.tsx';

type Props = { readonly item: Item; readonly changes: ItemChanges };

/** What is known of a person besides the form: confirmed addresses, tests, and their trail. */
export function PersonMore({ item, changes }: Props) {
  const words = useWords().configurePeople;
  const may = useMay();
  const { media, id } = item as unknown as User;
  return (
    <>
      <section aria-label={words.confirmations}>
        <h3>
          {words.confirmations}
          <small>{words.confirmationsHint}</small>
        </h3>
        {media.length === 0 && <p className="muted">{words.noMedia}</p>}
        <ul className="cfmedia">
          {media.map((medium, index) => (
            <MediumLine
              // biome-ignore lint/suspicious/noArrayIndexKey: a medium is its place in the order.
              key={index}
              userId={id}
              medium={medium}
              changes={changes}
            />
          ))}
        </ul>
        {changes.isChanged && <p className="muted">{words.saveFirst}</p>}
      </section>
      {changes.mayWrite && <PersonSecurity userId={id} />}
      {may.has('audit:read') && (
        <section>
          <Link
            className="lnk"
            to="/settings/$page"
            params={{ page: 'audit' }}
            search={{ object: `user:${id}` }}
          >
            <Icon name="scroll-text" size={14} /> {words.trail}
          </Link>
        </section>
      )}
    </>
  );
}

type LineProps = {
  readonly userId: number;
  readonly medium: UserMedium;
  readonly changes: ItemChanges;
};

function MediumLine({ userId, medium, changes }: LineProps) {
  const words = useWords();
  const time = useSiteTime();
  const now = useNow();
  const { kind, address, confirmed } = medium;
  const at = confirmed ? time.when(Date.parse(`${confirmed.time}Z`), now) : '';
  return (
    <li>
      <span>
        <b>{words.configureChoices[kind]}</b> <span className="tag">{address}</span>
      </span>
      <span className={`mk ${confirmed ? 'm-good' : 'm-bad'}`}>
        <i />
        <span>
          {confirmed
            ? words.configurePeople.confirmedBy[confirmed.by](at)
            : words.configurePeople.unconfirmed}
        </span>
      </span>
      {!confirmed && <Confirmation userId={userId} medium={medium} changes={changes} />}
    </li>
  );
}
