/** Loaded at its first use, because it takes a tenth of the start of a server, and many never need it. */
export const loadWebauthn = () => import('@simplewebauthn/server');
