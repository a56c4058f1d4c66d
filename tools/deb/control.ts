/** The architecture of Debian for one of Node.js. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', arm: 'armhf' };

export function debianArchitecture(arch: string): string {
  const found = architectures[arch];
  if (found === undefined)
    throw new Error(`Debian packages are built on x64, arm64 and arm, not on ${arch}.`);
  return found;
}

/** A preview such as 1.0.0-rc.1 sorts before 1.0.0 in Debian only with a tilde. */
export const debianVersion = (version: string) => version.replace('-', '~');

export type Control = {
  readonly version: string;
  readonly architecture: string;
  readonly installedKib: number;
};

/** The control file of the package. */
export function controlText({ version, architecture, installedKib }: Control): string {
  return `Package: tocsin
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: The Tocsin contributors <maintainers@tocsin.invalid>
Installed-Size: ${installedKib}
Depends: libc6 (>= 2.28), libstdc++6 (>= 6), systemd, init-system-helpers (>= 1.54), ca-certificates
Recommends: postgresql (>= 15)
Suggests: baresip-core, espeak-ng, sox, openssl
Section: net
Priority: optional
Description: alarm and on-call dispatch server
 Machines raise alarms by HTTP. Tocsin keeps them in PostgreSQL, pushes them to
 consoles, and calls people by telephone, SMS, e-mail and push until somebody
 acts. This package contains Node.js, and a service that is restarted whenever
 it ends.
`;
}
