import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { readFilter } from './alarms/filters/filter.ts';
import { LivePage } from './alarms/live-page.tsx';
import { Frame } from './frame/frame.tsx';
import { Gate } from './gate.tsx';
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
  desk.addChildren([live, alarm, areas, quiet, flood, shift, account]),
  wall,
  phone.addChildren(phoneTabs),
]);

export const createConsoleRouter = (basepath: string) => createRouter({ routeTree, basepath });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
