import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  redirect,
} from '@tanstack/react-router';
import { readFilter } from './alarms/filters/filter.ts';
import { LivePage } from './alarms/live-page.tsx';
import { readHistorySearch } from './analysis/history/history-search.ts';
import { readKpiSearch } from './analysis/kpi/kpi-search.ts';
import { readReportSearch } from './analysis/report/report-search.ts';
import { readSettingsSearch } from './configure/settings-search.ts';
import { Frame } from './frame/frame.tsx';
import { Gate } from './gate.tsx';
import { readRosterSearch } from './roster/roster-search.ts';
import { readShiftSearch } from './shift/shift-search.ts';

const root = createRootRoute({ component: Gate });
const desk = createRoute({ getParentRoute: () => root, id: 'desk', component: Frame });
const live = createRoute({
  getParentRoute: () => desk,
  path: '/',
  validateSearch: readFilter,
  component: LivePage,
});
const alarm = createRoute({
  getParentRoute: () => desk,
  path: '/alarms/$id',
  component: lazyRouteComponent(() => import('./alarm-page/alarm-page.tsx'), 'AlarmPage'),
});
const areas = createRoute({
  getParentRoute: () => desk,
  path: '/areas',
  component: lazyRouteComponent(() => import('./areas/areas-page.tsx'), 'AreasPage'),
});
const quiet = createRoute({
  getParentRoute: () => desk,
  path: '/quiet',
  component: lazyRouteComponent(() => import('./quiet/quiet-page.tsx'), 'QuietPage'),
});
const flood = createRoute({
  getParentRoute: () => desk,
  path: '/flood',
  component: lazyRouteComponent(() => import('./flood/flood-page.tsx'), 'FloodPage'),
});
const shift = createRoute({
  getParentRoute: () => desk,
  path: '/shift',
  validateSearch: readShiftSearch,
  component: lazyRouteComponent(() => import('./shift/shift-page.tsx'), 'ShiftPage'),
});
const account = createRoute({
  getParentRoute: () => desk,
  path: '/account',
  component: lazyRouteComponent(() => import('./account/account-page.tsx'), 'AccountPage'),
});
const history = createRoute({
  getParentRoute: () => desk,
  path: '/history',
  validateSearch: readHistorySearch,
  component: lazyRouteComponent(() => import('./analysis/history/history-page.tsx'), 'HistoryPage'),
});
const kpis = createRoute({
  getParentRoute: () => desk,
  path: '/kpis',
  validateSearch: readKpiSearch,
  component: lazyRouteComponent(() => import('./analysis/kpi/kpi-page.tsx'), 'KpiPage'),
});
const report = createRoute({
  getParentRoute: () => desk,
  path: '/report',
  validateSearch: readReportSearch,
  component: lazyRouteComponent(() => import('./analysis/report/report-page.tsx'), 'ReportPage'),
});
const roster = createRoute({
  getParentRoute: () => desk,
  path: '/roster',
  validateSearch: readRosterSearch,
  component: lazyRouteComponent(() => import('./roster/roster-page.tsx'), 'RosterPage'),
});
const setUpPath = createRoute({
  getParentRoute: () => desk,
  path: '/set-up',
  component: lazyRouteComponent(() => import('./set-up/set-up-path-page.tsx'), 'SetUpPathPage'),
});
const channels = createRoute({
  getParentRoute: () => desk,
  path: '/channels',
  component: lazyRouteComponent(() => import('./channels/channels-page.tsx'), 'ChannelsPage'),
});
const tags = createRoute({
  getParentRoute: () => desk,
  path: '/tags',
  component: lazyRouteComponent(() => import('./tags/tags-page.tsx'), 'TagsPage'),
});
const settingsStart = createRoute({
  getParentRoute: () => desk,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/$page', params: { page: 'stations' } });
  },
});
const settings = createRoute({
  getParentRoute: () => desk,
  path: '/settings/$page',
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import('./configure/settings-page.tsx'), 'SettingsPage'),
});
const approvals = createRoute({
  getParentRoute: () => desk,
  path: '/approvals',
  component: lazyRouteComponent(() => import('./approvals/approvals-page.tsx'), 'ApprovalsPage'),
});
/** Where an issuer that refuses sends people back. Those who are signed in have no business there. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: () => <Navigate to="/" replace />,
});
const wall = createRoute({
  getParentRoute: () => root,
  path: '/wall',
  component: lazyRouteComponent(() => import('./areas/wall-page.tsx'), 'WallPage'),
});
const phone = createRoute({
  getParentRoute: () => root,
  path: '/m',
  component: lazyRouteComponent(() => import('./phone/phone-frame.tsx'), 'PhoneFrame'),
});
const phoneCall = lazyRouteComponent(() => import('./phone/call-tab.tsx'), 'CallTab');
const phoneTabs = [
  createRoute({ getParentRoute: () => phone, path: '/', component: phoneCall }),
  createRoute({ getParentRoute: () => phone, path: '/call/$id', component: phoneCall }),
  createRoute({
    getParentRoute: () => phone,
    path: '/alarms',
    component: lazyRouteComponent(() => import('./phone/alarms-tab.tsx'), 'AlarmsTab'),
  }),
  createRoute({
    getParentRoute: () => phone,
    path: '/duty',
    component: lazyRouteComponent(() => import('./phone/duty-tab.tsx'), 'DutyTab'),
  }),
  createRoute({
    getParentRoute: () => phone,
    path: '/sent',
    component: lazyRouteComponent(() => import('./phone/sent-tab.tsx'), 'SentTab'),
  }),
] as const;

const routeTree = root.addChildren([
  desk.addChildren([
    live,
    alarm,
    areas,
    quiet,
    flood,
    shift,
    account,
    history,
    kpis,
    report,
    roster,
    setUpPath,
    channels,
    tags,
    settingsStart,
    settings,
    approvals,
  ]),
  signIn,
  wall,
  phone.addChildren(phoneTabs),
]);

export const createConsoleRouter = (basepath: string) => createRouter({ routeTree, basepath });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
