import { Link } from '@tanstack/react-router';
import { useWords } from '../../words/use-words.ts';
import type { Collection, Item } from './collection.ts';
import { useFieldNames } from './field-row.tsx';
import { Initials } from './initials.tsx';
import { useTell } from './use-tell.ts';

type Props = {
  readonly collection: Collection;
  readonly items: readonly Item[];
  readonly openId: number | 'new' | undefined;
  readonly q: string;
};

const shownName = ({ name, localizedName }: Item) =>
  typeof localizedName === 'string' && localizedName !== '' ? localizedName : name;

/** The objects of a collection. The name of each opens it. */
export function CollectionList({ collection, items, openId, q }: Props) {
  const words = useWords();
  const fieldName = useFieldNames(collection.fields);
  const tell = useTell(collection);
  const { moreColumns = [] } = collection;
  return (
    <section className="card flush">
      <table className={`tbl rows edge cftable${collection.hasInitials ? ' hasinitials' : ''}`}>
        <thead>
          <tr>
            <th>{fieldName('name')}</th>
            {collection.columns.map((name) => (
              <th key={name}>{fieldName(name)}</th>
            ))}
            {moreColumns.map(({ label }) => (
              <th key={label}>{words.configureColumns[label]}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id} className={item.id === openId ? 'tallr sel' : 'tallr'}>
              <th className="nm2" scope="row">
                <Link
                  to="/settings/$page"
                  params={{ page: collection.page }}
                  search={{ ...(q !== '' && { q }), id: item.id }}
                  {...(item.id === openId && { 'aria-current': 'true' as const })}
                >
                  {collection.hasInitials && <Initials name={shownName(item)} />}
                  <b>{shownName(item)}</b>
                  {shownName(item) !== item.name && <small>{item.name}</small>}
                </Link>
              </th>
              {collection.columns.map((name) => (
                <td key={name} className="muted" data-label={fieldName(name)}>
                  {tell(name, item[name])}
                </td>
              ))}
              {moreColumns.map(({ label, cell }) => (
                <td key={label} data-label={words.configureColumns[label]}>
                  {cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
