import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** Paths of the certificate files. */
export type TlsFiles = {
  readonly cert: string;
  readonly key: string;
  /** CA of clients, which must then show a certificate. */
  readonly clientCa: string | undefined;
  /** CA of the servers of this installation. */
  readonly nodeCa: string | undefined;
};

/** The content of the files, in PEM. */
export type TlsMaterial = {
  readonly cert: string;
  readonly key: string;
  readonly clientCa: string | undefined;
  readonly nodeCa: string | undefined;
  /** The certificates in `clientCa` and in `nodeCa`. */
  readonly clientCas: readonly X509Certificate[];
  readonly nodeCas: readonly X509Certificate[];
  /** The certificate of this server, without its chain. */
  readonly certificate: X509Certificate;
  readonly validTo: Date;
};

/** Reads all files and checks that they match. The message of the error is for the operator. */
export function readTlsMaterial(files: TlsFiles): TlsMaterial {
  const [cert, key] = [readPem(files.cert), readPem(files.key)];
  const [clientCa, nodeCa] = [readOptional(files.clientCa), readOptional(files.nodeCa)];
  try {
    createSecureContext({ cert, key, ca: [clientCa, nodeCa].filter((ca) => ca !== undefined) });
    const certificate = new X509Certificate(cert);
    const [clientCas, nodeCas] = [certificatesIn(clientCa ?? ''), certificatesIn(nodeCa ?? '')];
    const { validToDate: validTo } = certificate;
    return { cert, key, clientCa, nodeCa, clientCas, nodeCas, certificate, validTo };
  } catch (error) {
    throw new Error(`The certificate ${files.cert} cannot be used with ${files.key}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Changes whenever one of the files does. */
export function stampOf({ cert, key, clientCa, nodeCa }: TlsFiles): string {
  return [cert, key, clientCa, nodeCa].map((file) => (file === undefined ? '' : stampOfFile(file))).join(' ');
}

function stampOfFile(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? 'gone' : `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
}

function readOptional(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readPem(file);
}

function readPem(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (!text.includes('-----BEGIN ')) throw new Error(`The file ${file} has no PEM in it`);
  return text;
}

function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
