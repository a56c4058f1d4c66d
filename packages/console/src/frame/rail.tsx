import { Link, useLocation } from '@tanstack/react-router';
import { useWaitingForMe } from '../approvals/approval-queries.ts';
import { useServices } from '../services/services.ts';
import { useMay } from '../services/use-may.ts';
import { Icon } from '../symbols/icon.tsx';
import type { IconName } from '../symbols/icon-names.ts';
import { Mark } from '../symbols/mark.tsx';
import { useWords } from '../words/use-words.ts';

type Place = {
  readonly to: '/' | '/areas' | '/roster' | '/history' | '/kpis' | '/tags' | '/shift';
  readonly icon: IconName;
  readonly label: string;
  /** The permission that the page needs. */
  readonly needs?: string;
};

/** Other ways to look at the alarms. */
const views = ['/flood', '/quiet'];
/** Pages that the settings list. */
const settings = ['/settings', '/channels', '/set-up'];

export function Rail() {
  const all = useWords();
  const { nav: words, analysis, configure } = all;
  const may = useMay();
  const { basePath } = useServices();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const places: readonly Place[] = [
    { to: '/', icon: 'list', label: words.alarms },
    { to: '/areas', icon: 'layout-grid', label: words.areas },
    { to: '/roster', icon: 'calendar-days', label: words.roster },
    { to: '/history', icon: 'history', label: analysis.history },
    { to: '/kpis', icon: 'chart-column', label: analysis.kpis },
    { to: '/tags', icon: 'tags', label: all.tags.nav, needs: 'plant:read' },
    { to: '/shift', icon: 'arrow-left-right', label: words.shift },
  ];
  return (
    <nav className="rail" aria-label={words.main}>
      <Link className="mark" to="/" aria-label={words.start}>
        <Mark size={28} />
      </Link>
      {places
        .filter(({ needs }) => needs === undefined || may.has(needs))
        .map(({ to, icon, label }) => (
          <Link
            key={to}
            className={to === '/' && views.includes(path) ? 'nav active' : 'nav'}
            to={to}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            <Icon name={icon} size={20} />
            <span>{label}</span>
          </Link>
        ))}
      <Waiting isOpen={path === '/approvals'} />
      <span className="fill" />
      <Link className={settings.some((each) => path.startsWith(each)) ? 'nav active' : 'nav'} to="/settings">
        <Icon name="settings" size={20} />
        <span>{configure.settings}</span>
      </Link>
      {/* In a tab of its own: this one goes on watching the alarms. */}
      <a className="nav" href={`${basePath}/help/`} target="_blank" rel="noopener">
        <Icon name="circle-question-mark" size={20} />
        <span>{words.help}</span>
      </a>
    </nav>
  );
}

/** The way to the approvals, while something waits for this user. */
function Waiting({ isOpen }: { readonly isOpen: boolean }) {
  const words = useWords().approvals;
  const count = useWaitingForMe();
  if (count === 0 && !isOpen) return null;
  return (
    <Link className="nav" to="/approvals" activeOptions={{ exact: true }}>
      <Icon name="users" size={20} />
      <span>{words.nav}</span>
      {count > 0 && <b className="navcount">{count}</b>}
    </Link>
  );
}
