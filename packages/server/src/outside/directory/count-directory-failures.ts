import { Counter, type Registry } from 'prom-client';

/** Counts each time that a directory could not be asked. Without a registry nothing is counted. */
export function countDirectoryFailures(registry: Registry | undefined): () => void {
  if (!registry) return () => {};
  const failures = new Counter({
    name: 'tocsin_directory_failures_total',
    help: 'Log-ins and checks of sessions for which no directory answered.',
    registers: [registry],
  });
  return () => failures.inc();
}
