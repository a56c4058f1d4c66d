import { type Api, createApi } from '@tocsin/client';
import { logIn } from '../../connection/log-in-session.ts';
import { patientApi } from '../../connection/patient-api.ts';

type Server = { readonly baseUrl: string; now(): number };

export type LoggedIn = { readonly api: Api; logOut(): Promise<void> };

/** The interface of the server for a user of the demo. */
export async function logInAs(server: Server, username: string, password: string): Promise<LoggedIn> {
  const session = await logIn(server, { username, password, totp: undefined });
  return { api: patientApi(createApi(session, server)), logOut: session.logOut };
}

/** The interface of the server for a key. */
export const withKey = ({ baseUrl }: Server, key: string): Api =>
  patientApi(createApi({ accessToken: async () => key }, { baseUrl }));
