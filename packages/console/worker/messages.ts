import { root } from './shell.ts';

/** A message as the channel for web push sends it. */
type PushMessage = {
  readonly title: string;
  readonly text: string;
  /** Where the message can be answered without a log-in; may be empty. */
  readonly link: string;
  readonly alarmId: number | undefined;
};

/** A message that cannot be read is shown all the same: somebody is being called. */
function readMessage(data: PushMessageData | null): PushMessage {
  const sent = readObject(data);
  const text = (name: string) => (typeof sent[name] === 'string' ? sent[name] : '');
  const alarmId = sent['alarmId'];
  return {
    title: text('title') || 'Tocsin',
    text: text('text'),
    link: text('link'),
    alarmId: typeof alarmId === 'number' ? alarmId : undefined,
  };
}

function readObject(data: PushMessageData | null): Record<string, unknown> {
  try {
    const value: unknown = data?.json();
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return { text: data?.text() };
  }
}

export async function showMessage(
  registration: ServiceWorkerRegistration,
  data: PushMessageData | null,
): Promise<void> {
  const { title, text, link, alarmId } = readMessage(data);
  await registration.showNotification(title, {
    body: text,
    icon: new URL('icons/icon-192.png', root).href,
    badge: new URL('icons/badge-96.png', root).href,
    requireInteraction: true,
    // A further call for the same alarm replaces the message about it.
    ...(alarmId !== undefined && { tag: `alarm-${alarmId}` }),
    data: { address: addressOf({ link, alarmId }) },
  });
}

/** An alarm opens its call on the phone. A test or a code is confirmed by its link. */
function addressOf({ link, alarmId }: Pick<PushMessage, 'link' | 'alarmId'>): string {
  if (alarmId !== undefined) return new URL(`m/call/${alarmId}`, root).href;
  return link === '' ? new URL('m', root).href : link;
}

/** Shows the call in a page that is open, else in a new one. */
export async function openCall(clients: Clients, data: unknown): Promise<void> {
  const { address } = data as { address: string };
  const open = await clients.matchAll({ type: 'window' });
  const page = open.find(({ url }) => url.startsWith(new URL('m', root).href));
  if (!page || !address.startsWith(root.href)) return void (await clients.openWindow(address));
  await page.focus().catch(() => undefined);
  await page.navigate(address).catch(() => clients.openWindow(address));
}
