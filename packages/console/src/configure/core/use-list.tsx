import { Link } from '@tanstack/react-router';
import type { ObjectUse } from '@tocsin/contract';
import { Icon } from '../../symbols/icon.tsx';
import type { IconName } from '../../symbols/icon-names.ts';
import { useWords } from '../../words/use-words.ts';

const icons: Record<ObjectUse['kind'], IconName> = {
  station: 'building-2',
  'data-server': 'server',
  'tag-group': 'list-tree',
  scenario: 'workflow',
  tag: 'tags',
  'call-group': 'phone-call',
  grouping: 'folder',
  user: 'user',
  'api-key': 'key-round',
  'site-plan': 'map-pin',
  'shift-note': 'file-text',
  'dispatch-settings': 'settings',
};

/** The page that shows an object of the kind. */
const pages: Partial<Record<ObjectUse['kind'], string>> = {
  station: 'stations',
  'data-server': 'dataservers',
  'tag-group': 'taggroups',
  scenario: 'scenarios',
  'call-group': 'callgroups',
  grouping: 'groupings',
  user: 'people',
};

type Props = { readonly uses: readonly ObjectUse[]; readonly onOpen: () => void };

/** Objects that use another one, each with its kind and what it does. */
export function UseList({ uses, onOpen }: Props) {
  const words = useWords();
  const nameOf = ({ kind, name }: ObjectUse) =>
    kind === 'dispatch-settings' ? words.configureDelete.kinds[kind] : name;
  return (
    <ul className="uses">
      {uses.map((use) => {
        const page = pages[use.kind];
        return (
          <li key={`${use.kind} ${use.id} ${use.relation}`}>
            <Icon name={icons[use.kind]} size={16} />
            <span>
              {page === undefined ? (
                <b>{nameOf(use)}</b>
              ) : (
                <Link
                  className="lnk"
                  to="/settings/$page"
                  params={{ page }}
                  search={{ id: use.id }}
                  onClick={onOpen}
                >
                  {nameOf(use)}
                </Link>
              )}
              <small>{words.configureDelete.relations[use.relation]}</small>
            </span>
            <small>{words.configureDelete.kinds[use.kind]}</small>
          </li>
        );
      })}
    </ul>
  );
}
