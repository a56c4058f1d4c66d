import { Link, useLocation } from '@tanstack/react-router';
import { Icon } from '../symbols/icon.tsx';
import type { IconName } from '../symbols/icon-names.ts';
import { Mark } from '../symbols/mark.tsx';
import { useWords } from '../words/use-words.ts';

type Place = { readonly to: '/' | '/areas' | '/shift'; readonly icon: IconName; readonly label: string };

/** Other ways to look at the alarms. */
const views = ['/flood', '/quiet'];

export function Rail() {
  const words = useWords().nav;
  const path = useLocation({ select: ({ pathname }) => pathname });
  const places: readonly Place[] = [
    { to: '/', icon: 'list', label: words.alarms },
    { to: '/areas', icon: 'layout-grid', label: words.areas },
    { to: '/shift', icon: 'arrow-left-right', label: words.shift },
  ];
  return (
    <nav className="rail" aria-label={words.main}>
      <Link className="mark" to="/" aria-label={words.start}>
        <Mark size={28} />
      </Link>
      {places.map(({ to, icon, label }) => (
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
      <span className="fill" />
      <a className="nav" href="./docs">
        <Icon name="circle-question-mark" size={20} />
        <span>{words.help}</span>
      </a>
    </nav>
  );
}
