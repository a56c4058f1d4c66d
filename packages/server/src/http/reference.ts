import { Type } from 'typebox';
import type { HttpApp } from './http-app.ts';

/** The page loads its one script and the OpenAPI document from this server, and nothing from anywhere else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const configuration = {
  url: '../openapi.json',
  pageTitle: 'Tocsin: the interface',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  favicon: 'data:,',
} as const;

/** The interface as a page to read and try, at `/docs`. */
export async function referenceRoutes(app: HttpApp): Promise<void> {
  // Loaded here because it is 4 MB of text: tests that do not read the docs do without.
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, permission: 'public' };
    route.schema = { ...route.schema, hide: true, response: { 200: Type.String() } };
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('content-security-policy', contentSecurityPolicy);
  });
  await app.register(scalar, { routePrefix: '/docs', configuration });
}
