import { hostname } from 'node:os';
import { connect, type TLSSocket } from 'node:tls';

/** A syslog server for RFC 5424 messages over TLS (RFC 5425). */
export type SyslogServer = {
  readonly host: string;
  readonly port: number;
  /** CA certificates in PEM; by default those that Node.js trusts. */
  readonly ca?: string | undefined;
};

export type SyslogMessage = { readonly at: string; readonly messageId: string; readonly text: string };

/** Facility 13 (log audit), severity 5 (notice). */
const priority = 13 * 8 + 5;
const timeoutMs = 10_000;

/** Sends messages on a new connection, and waits until the server has closed it. */
export function sendToSyslog(server: SyslogServer, messages: readonly SyslogMessage[]): Promise<void> {
  const { host, port, ca } = server;
  const frames = messages.map((message) => frame(message, hostname())).join('');
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host, port, ca, servername: host, timeout: timeoutMs }, () => {
      socket.end(frames);
    });
    // Data from the server must be read, or else its end is not noticed.
    socket.resume();
    socket.on('timeout', () => socket.destroy(new Error(`${host}:${port} does not answer`)));
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

/** The message, preceded by its length in octets (RFC 5425, 4.3). */
function frame({ at, messageId, text }: SyslogMessage, host: string): string {
  const name = host.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 255) || '-';
  const message = `<${priority}>1 ${at} ${name} tocsin ${process.pid} ${messageId} - ${text}`;
  return `${Buffer.byteLength(message)} ${message}`;
}
