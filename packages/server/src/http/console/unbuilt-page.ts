/** Instead of a console that was never built. Without styles, because the policy of the console allows none in a page. */
export const unbuiltPage = Buffer.from(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Tocsin: the console is not built</title></head>
<body>
<h1>The console is not built</h1>
<p>The server runs and takes alarms, but the files of its operator console are missing.</p>
<p>Run <code>npm run build --workspace packages/console</code> in the folder of Tocsin, then restart the server.</p>
<p>A server that needs no console is started with <code>CONSOLE=off</code>.</p>
</body>
</html>
`);

/** Instead of a documentation that was never built. */
export const unbuiltHelp = Buffer.from(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Tocsin: the documentation is not built</title></head>
<body>
<h1>The documentation is not built</h1>
<p>Run <code>npm run build --workspace packages/help</code> in the folder of Tocsin, then restart the server.</p>
</body>
</html>
`);

/** Instead of the page for missing addresses, if the built documentation has none. */
export const missingHelp = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Tocsin: page not found</title></head>
<body>
<h1>Page not found</h1>
<p>The documentation of this release has no page at this address. Begin at the <a href="/help/">start</a>.</p>
</body>
</html>
`;
