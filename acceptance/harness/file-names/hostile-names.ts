import { relative } from 'node:path';

/** A readable file outside the media library, and a URL that somebody listens to. */
export type Bait = { path: string; url: string };

/** Texts that would open a file or a connection in a server that takes them for a path, a URL or a command. */
export function hostileNames(bait: Bait, serverFolder: string): string[] {
  return [
    ...paths(bait.path, serverFolder),
    ...encodings(bait.path),
    ...windowsPaths(bait.path),
    ...addresses(bait),
    ...commands(bait.path),
    ...oddTexts(bait.path),
  ];
}

function paths(path: string, serverFolder: string): string[] {
  return [
    path,
    relative(serverFolder, path),
    `${'../'.repeat(20)}${path.slice(1)}`,
    `....//....//..../${path}`,
    `/proc/self/root${path}`,
    '/proc/self/environ',
    '/dev/zero',
    '/dev/stdin',
    `${path}/`,
    `${path} `,
    '.',
    '..',
    '/',
  ];
}

/** Percent, double percent, overlong UTF-8, and characters that some systems map to `/` and `.`. */
function encodings(path: string): string[] {
  const tail = path.slice(1);
  return [
    encodeURIComponent(path),
    encodeURIComponent(encodeURIComponent(path)),
    `${'..%2f'.repeat(12)}${tail}`,
    `${'%2e%2e/'.repeat(12)}${tail}`,
    `${'..%c0%af'.repeat(12)}${tail}`,
    `${'..%e0%80%af'.repeat(12)}${tail}`,
    `${'%c0%ae%c0%ae/'.repeat(12)}${tail}`,
    path.replaceAll('/', '\uff0f'),
    path.replaceAll('/', '\u2215'),
    `${'\u2024\u2024/'.repeat(12)}${tail}`,
  ];
}

function windowsPaths(path: string): string[] {
  const tail = path.slice(1).replaceAll('/', '\\');
  return [
    `${'..\\'.repeat(12)}${tail}`,
    `C:\\${tail}`,
    `C:${tail}`,
    `\\\\127.0.0.1\\share\\${tail}`,
    `\\\\?\\C:\\${tail}`,
    '\\\\.\\pipe\\siren',
    `${path}::$DATA`,
    'CON',
    'NUL',
    'COM1.wav',
    'aux.wav',
  ];
}

function addresses({ path, url }: Bait): string[] {
  return [
    `file://${path}`,
    `file:${path}`,
    `FILE://localhost${path}`,
    url,
    `${url}/siren.wav?a=b`,
    `ftp://${new URL(url).host}/siren.wav`,
    `//${new URL(url).host}/siren.wav`,
    `data:text/plain;base64,${Buffer.from(path).toString('base64')}`,
  ];
}

function commands(path: string): string[] {
  return [`$(cat ${path})`, `\`cat ${path}\``, `| cat ${path}`, `~/../..${path}`, `-o${path}`, `@${path}`];
}

function oddTexts(path: string): string[] {
  return [
    `${path}\u0000.wav`,
    `siren.wav\u0000${path}`,
    `\u202evaw.neris${path}`,
    `${path.slice(0, 4)}\u200b${path.slice(4)}`,
    `siren.wav\r\nBcc: all@plant.example\r\n\r\n${path}`,
    `siren\ud800.wav`,
    'a'.repeat(3_900),
    `${'../'.repeat(1_250)}${path.slice(1)}`,
    "siren.wav'; drop table media_files; --",
    '{"name":"siren.wav"}',
  ];
}
