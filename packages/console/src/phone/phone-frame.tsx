import { Link, Outlet } from '@tanstack/react-router';
import { type ReactNode, useContext, useEffect } from 'react';
import { LiveData } from '../frame/live-data.tsx';
import { useAppliedSettings } from '../frame/use-applied-settings.ts';
import { useHealth, useMeta } from '../services/queries.ts';
import { useServices } from '../services/services.ts';
import { useLive } from '../services/use-live.ts';
import { useSessionState } from '../services/use-session.ts';
import { Icon } from '../symbols/icon.tsx';
import type { IconName } from '../symbols/icon-names.ts';
import { currentTime } from '../time/current-time.ts';
import { useSiteTime, ZoneContext } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { setLanguage, useLanguage, useWords } from '../words/use-words.ts';
import { PhoneProvider, useOutboxItems, usePhone } from './phone-context.tsx';
import { readRemembered, remember } from './remembered.ts';
import { useOwnCalls } from './use-own-calls.ts';

/** The page of a technician: calls, alarms, duty, and what waits to be sent. */
export function PhoneFrame() {
  useAppliedSettings();
  useServiceWorker();
  return (
    <LiveData>
      <KeptZone>
        <PhoneProvider>
          <Remembering />
          <div className="m">
            <Head />
            <Outlet />
            <Tabs />
          </div>
        </PhoneProvider>
      </KeptZone>
    </LiveData>
  );
}

/** Without a connection the zone of the site is the one that was known last. */
function KeptZone({ children }: { readonly children: ReactNode }) {
  const zone = useContext(ZoneContext) ?? readRemembered()?.zone;
  return <ZoneContext.Provider value={zone}>{children}</ZoneContext.Provider>;
}

/** Lets the page open without a connection, and receive messages while it is closed. Browsers offer it with TLS only. */
function useServiceWorker(): void {
  const { basePath } = useServices();
  useEffect(() => {
    const scope = `${basePath}/m`;
    void navigator.serviceWorker?.register(`${basePath}/sw.js`, { scope }).catch(() => undefined);
  }, [basePath]);
}

/** Keeps what the page needs when it is opened without a connection. */
function Remembering() {
  const { user } = usePhone();
  const state = useSessionState();
  const { connection } = useLive();
  const calls = useOwnCalls();
  const language = useLanguage();
  const zone = useContext(ZoneContext);
  const plant = useMeta()?.tenant.name;
  useEffect(() => {
    const kept = readRemembered();
    if (kept && state === 'unknown') void setLanguage(kept.language);
  }, [state]);
  useEffect(() => {
    if (connection !== 'live' || state !== 'signed-in' || plant === undefined) return;
    remember({ user, plant, language, zone, calls, at: currentTime() });
  }, [user, state, connection, calls, language, zone, plant]);
  return null;
}

function Head() {
  const words = useWords().phone;
  const { user } = usePhone();
  const plant = useMeta()?.tenant.name ?? readRemembered()?.plant ?? 'Tocsin';
  const duties = useHealth()?.onDuty ?? [];
  const isOnDuty = duties.some(({ people }) => people.some(({ userId }) => userId === user.id));
  const now = useNow();
  const time = useSiteTime();
  return (
    <header className="mtop">
      <span className="mwho">
        <b>{plant}</b>
        <small>{isOnDuty ? words.onDuty(user.name) : user.name}</small>
      </span>
      <span className="fill" />
      <Connection />
      <time>{time.clock(now)}</time>
    </header>
  );
}

function Connection() {
  const words = useWords().top;
  const { isOnline, isConnecting } = usePhone();
  const isLost = !isOnline && !isConnecting;
  const text = isConnecting ? words.connecting : words.live;
  return (
    <span className={isLost ? 'off' : 'mlive'} role="status">
      <Icon name={isLost ? 'wifi-off' : 'activity'} />
      {isLost ? words.lost : text}
    </span>
  );
}

const tabs = [
  { name: 'call', to: '/m', icon: 'phone-incoming' },
  { name: 'alarms', to: '/m/alarms', icon: 'list' },
  { name: 'duty', to: '/m/duty', icon: 'calendar-days' },
  { name: 'sent', to: '/m/sent', icon: 'send' },
] as const satisfies readonly { name: string; to: string; icon: IconName }[];

function Tabs() {
  const words = useWords().phone;
  const waiting = useOutboxItems().filter(({ progress }) => progress.state === 'waiting').length;
  const counts = { call: useOwnCalls().length, alarms: 0, duty: 0, sent: waiting };
  return (
    <nav className="tabs" aria-label={words.pages}>
      {tabs.map(({ name, to, icon }) => (
        <Link key={name} to={to} activeOptions={{ exact: true }}>
          <Icon name={icon} size={22} />
          <span>{words.tabs[name]}</span>
          {counts[name] > 0 && <b className="bdg">{counts[name]}</b>}
        </Link>
      ))}
    </nav>
  );
}
