import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useServices } from '../services/services.ts';
import { useMay } from '../services/use-may.ts';
import { Icon } from '../symbols/icon.tsx';
import type { IconName } from '../symbols/icon-names.ts';
import { useWords } from '../words/use-words.ts';
import type { Page } from './core/item-queries.ts';

export type PageName = keyof ReturnType<typeof useWords>['configurePages'];
type Place = {
  readonly page: PageName;
  readonly icon: IconName;
  /** The permission that the page needs. */
  readonly need: string;
  /** The collection whose objects are counted. */
  readonly path?: string;
  /** The address of a page that is not one of `/settings`. */
  readonly to?: '/channels' | '/set-up' | '/approvals';
};
type GroupName = keyof ReturnType<typeof useWords>['configureGroups'];

const groups: readonly (readonly [GroupName, readonly Place[]])[] = [
  [
    'site',
    [
      { page: 'stations', icon: 'building-2', need: 'plant:read', path: 'stations' },
      { page: 'people', icon: 'users', need: 'people:read', path: 'users' },
      { page: 'callgroups', icon: 'phone-call', need: 'callgroups:read', path: 'callgroups' },
      { page: 'groupings', icon: 'folder', need: 'callgroups:read', path: 'callgroupgroupings' },
    ],
  ],
  [
    'calling',
    [
      { page: 'scenarios', icon: 'workflow', need: 'plant:read', path: 'scenarios' },
      { page: 'channels', icon: 'radio-tower', need: 'channels:read', path: 'channels', to: '/channels' },
    ],
  ],
  [
    'plant',
    [
      { page: 'dataservers', icon: 'server', need: 'plant:read', path: 'dataservers' },
      { page: 'taggroups', icon: 'list-tree', need: 'plant:read', path: 'taggroups' },
      { page: 'commands', icon: 'terminal', need: 'commands:read' },
    ],
  ],
  [
    'access',
    [
      { page: 'signInRules', icon: 'shield-check', need: 'people:read' },
      { page: 'issuers', icon: 'key-round', need: 'people:read', path: 'issuers' },
      { page: 'directory', icon: 'id-card', need: 'people:read' },
      { page: 'approvals', icon: 'users', need: 'alarms:read', to: '/approvals' },
    ],
  ],
  [
    'system',
    [
      { page: 'setUp', icon: 'clipboard-list', need: 'people:write', to: '/set-up' },
      { page: 'keys', icon: 'key-round', need: 'keys:read', path: 'apikeys' },
      { page: 'audit', icon: 'scroll-text', need: 'audit:read' },
    ],
  ],
];

/** The permission that a page below `/settings/` needs; undefined if there is no such page. */
export const needOf = (page: string): string | undefined =>
  groups.flatMap(([, places]) => places).find((place) => place.page === page && place.to === undefined)?.need;

/** The pages of the settings that the user may see, with the number of objects of each. */
export function SettingsNav({ page }: { readonly page: string }) {
  const words = useWords();
  const may = useMay();
  return (
    <nav className="groups snav" aria-label={words.configure.settings}>
      {groups.map(([group, places]) => {
        const shown = places.filter(({ need }) => may.has(need));
        return (
          shown.length > 0 && (
            <div key={group}>
              <h2>{words.configureGroups[group]}</h2>
              {shown.map((place) => (
                <NavLink key={place.page} place={place} isOpen={place.page === page} />
              ))}
            </div>
          )
        );
      })}
    </nav>
  );
}

function NavLink({ place, isOpen }: { readonly place: Place; readonly isOpen: boolean }) {
  const words = useWords();
  const { api } = useServices();
  const { page, icon, path, to } = place;
  const { data: count } = useQuery({
    queryKey: ['configured-count', path],
    queryFn: async () => (await api.get<Page<unknown>>(`/${path}`, { limit: 1 })).data.paging.total,
    staleTime: 60_000,
    enabled: path !== undefined,
  });
  const content = (
    <>
      <Icon name={icon} size={16} />
      <span>{words.configurePages[page]}</span>
      {count !== undefined && <small>{count}</small>}
    </>
  );
  const current = { 'aria-current': isOpen ? ('page' as const) : undefined };
  if (to !== undefined)
    return (
      <Link className="sn" to={to} activeProps={{}} {...current}>
        {content}
      </Link>
    );
  return (
    <Link className="sn" to="/settings/$page" params={{ page }} search={{}} activeProps={{}} {...current}>
      {content}
    </Link>
  );
}
