import { type ReactNode, useEffect } from 'react';
import { AlarmsProvider } from '../alarms/alarms-context.tsx';
import { useConsoleSettings } from '../services/console-settings.ts';
import { useStations } from '../services/queries.ts';
import { useServices } from '../services/services.ts';
import { useConnection } from '../services/use-live.ts';
import { ZoneContext } from '../time/site-time.ts';

/** Keeps the connection while a page is open, and gives the page its alarms and time zone. */
export function LiveData({ children }: { readonly children: ReactNode }) {
  const { feed } = useServices();
  const connection = useConnection();
  const siteZone = useStations()[0]?.timeZone;
  const zone = useConsoleSettings()?.zone === 'browser' ? undefined : siteZone;
  useEffect(() => {
    feed.start();
    return () => feed.stop();
  }, [feed]);
  useEffect(() => {
    document.documentElement.dataset['state'] = connection === 'lost' ? 'stale' : 'fresh';
  }, [connection]);
  return (
    <ZoneContext.Provider value={zone}>
      <AlarmsProvider>{children}</AlarmsProvider>
    </ZoneContext.Provider>
  );
}
