import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A CA that is valid for two days. */
export type Authority = {
  readonly caFile: string;
  readonly ca: string;
  /**
   * A certificate for servers and clients, by default for two days; the subject alternative names are such as
   * `IP:127.0.0.1`. With negative days it has expired.
   */
  issue(name: string, names?: readonly string[], days?: number): Promise<Certificate>;
};

export type Certificate = {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
};

/** Creates a CA with openssl, in the folder. */
export async function makeAuthority(name: string, folder: string): Promise<Authority> {
  const at = (file: string) => join(folder, file);
  const caFile = at('ca.pem');
  const subject = ['-subj', `/CN=${name}`, '-days', '2'];
  await run('openssl', ['req', '-x509', ...newKey, '-keyout', at('ca.key'), '-out', caFile, ...subject]);
  const issue: Authority['issue'] = async (holder, names = ['IP:127.0.0.1', 'DNS:localhost'], days = 2) => {
    const [certFile, keyFile] = [at(`${holder}.pem`), at(`${holder}.key`)];
    const [request, extensions] = [at(`${holder}.csr`), at(`${holder}.ext`)];
    await writeFile(
      extensions,
      `basicConstraints=CA:FALSE\nsubjectAltName=${names.join(',')}\nextendedKeyUsage=serverAuth,clientAuth\n`,
    );
    await run('openssl', ['req', ...newKey, '-keyout', keyFile, '-out', request, '-subj', `/CN=${holder}`]);
    const signing = ['-CA', caFile, '-CAkey', at('ca.key'), '-CAcreateserial', '-days', String(days)];
    await run('openssl', [
      'x509',
      '-req',
      '-in',
      request,
      ...signing,
      '-extfile',
      extensions,
      '-out',
      certFile,
    ]);
    return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  };
  return { caFile, ca: readFileSync(caFile, 'utf8'), issue };
}
