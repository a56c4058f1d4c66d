import { Type } from 'typebox';
import type { HttpApp } from '../http-app.ts';
import { referencePage, startScript, stylesScript } from './reference-page.ts';

/** The page loads its scripts and the OpenAPI document from this server, and nothing from anywhere else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const configuration = {
  url: '../../openapi.json',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  favicon: 'data:,',
} as const;

/** The interactive reference of the interface, at `/docs`. */
export async function referenceRoutes(app: HttpApp): Promise<void> {
  // Imported here because it is 4 MB: tests that do not need the page run without it.
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, permission: 'public' };
    route.schema = { ...route.schema, hide: true, response: { 200: Type.String() } };
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    reply.header('content-security-policy', contentSecurityPolicy);
    // The page of Scalar starts with an inline script, so it is replaced.
    return String(reply.getHeader('content-type')).startsWith('text/html') ? referencePage : payload;
  });
  await app.register(scalar, { routePrefix: '/docs', configuration });
  const scripts = { styles: stylesScript, start: startScript(configuration) };
  for (const [name, text] of Object.entries(scripts)) {
    app.get(`/docs/js/${name}.js`, (_request, reply) => reply.type('text/javascript').send(text));
  }
}
