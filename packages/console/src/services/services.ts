import {
  type Api,
  createApi,
  createLiveFeed,
  createSession,
  type LiveFeed,
  type Session,
} from '@tocsin/client';
import { createContext, useContext } from 'react';
import { createDemands, type Demands } from './demands.ts';
import { createSharedDesk, type SharedDesk } from './shared-desk.ts';

export type Services = {
  readonly session: Session;
  readonly api: Api;
  readonly feed: LiveFeed;
  readonly demands: Demands;
  readonly desk: SharedDesk;
  /** Prefix of all addresses of the server; empty at the root. */
  readonly basePath: string;
};

export function createServices(): Services {
  const meta = document.querySelector('meta[name="base-path"]')?.getAttribute('content') ?? '/';
  const basePath = meta.replace(/\/$/, '');
  const session = createSession({ baseUrl: basePath });
  const demands = createDemands();
  const desk = createSharedDesk(session);
  const api = createApi(desk, {
    baseUrl: basePath,
    onRefused: async (problem, method) =>
      (await demands.onRefused(problem)) || (await desk.onRefused(problem, method)),
    onChanged: desk.onChanged,
    onApproval: demands.onApproval,
  });
  const feed = createLiveFeed(session, api);
  return { session, api, feed, demands, desk, basePath };
}

const Context = createContext<Services | undefined>(undefined);
export const ServicesProvider = Context.Provider;

export function useServices(): Services {
  const services = useContext(Context);
  if (!services) throw new Error('There is no provider of services above this component');
  return services;
}
