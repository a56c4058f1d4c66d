import type { Outbox, OutboxItem } from '@tocsin/client';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { useServices } from '../services/services.ts';
import { useIsOnline, useLive } from '../services/use-live.ts';
import { useSessionState } from '../services/use-session.ts';
import { currentTime } from '../time/current-time.ts';
import { createPhoneOutbox, dropOldAnswers } from './phone-outbox.ts';
import { readRemembered } from './remembered.ts';

type Phone = {
  readonly outbox: Outbox;
  readonly user: { readonly id: number; readonly name: string };
  /** Whether the server answers at this moment. */
  readonly isOnline: boolean;
  /** Whether the page has just been opened and has not heard of the server yet. */
  readonly isConnecting: boolean;
};

const Context = createContext<Phone | undefined>(undefined);

export function usePhone(): Phone {
  const phone = useContext(Context);
  if (!phone) throw new Error('There is no phone above this component');
  return phone;
}

/** What this person has done on this phone, the oldest first. */
export function useOutboxItems(): readonly OutboxItem[] {
  const { outbox, user } = usePhone();
  const items = useSyncExternalStore(outbox.subscribe, outbox.getSnapshot);
  return items.filter(({ userId }) => userId === undefined || userId === user.id);
}

const nobody = { id: 0, name: '' };
const retryMs = 3_000;

/** Keeps the session and the outbox of the phone going, with a connection and without one. */
export function PhoneProvider({ children }: { readonly children: ReactNode }) {
  const { session, api } = useServices();
  const state = useSessionState();
  const isLive = useIsOnline();
  const { connection } = useLive();
  const hasNetwork = useHasNetwork();
  const outbox = useMemo(() => createPhoneOutbox(session, api), [session, api]);
  const isOnline = isLive && hasNetwork;
  const isConnecting = connection === 'connecting' && hasNetwork;
  useEffect(() => {
    const begin = async () => {
      await outbox.start();
      await dropOldAnswers(outbox, currentTime());
    };
    void begin().catch(() => undefined);
    return () => outbox.stop();
  }, [outbox]);
  useEffect(() => {
    if (isOnline && state === 'signed-in') void outbox.sendNow().catch(() => undefined);
  }, [outbox, isOnline, state]);
  useEffect(() => {
    if (state !== 'unknown') return;
    const restore = () => void session.restore().catch(() => undefined);
    const timer = setInterval(restore, retryMs);
    addEventListener('online', restore);
    return () => {
      clearInterval(timer);
      removeEventListener('online', restore);
    };
  }, [session, state]);
  const user = session.user ?? readRemembered()?.user ?? nobody;
  const { id, name } = user;
  const value = useMemo(
    () => ({ outbox, user: { id, name }, isOnline, isConnecting }),
    [outbox, id, name, isOnline, isConnecting],
  );
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

function subscribeToNetwork(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** False when the phone itself says that it has no network; true means nothing. */
const useHasNetwork = () => useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
