import type { Api } from '@tocsin/client';
import type { Medium, PushKey, UserMedia } from '@tocsin/contract';

/** `unconfirmed`: the code that was sent to this browser is not entered yet, so nobody is called here. */
export type PushState = 'unsupported' | 'not-offered' | 'denied' | 'off' | 'unconfirmed' | 'on';

/** The subscription of this browser as an address of a user, which a code confirms like any other. */
export type PushAddress = {
  readState(): Promise<PushState>;
  /** Asks the person, subscribes this browser and sends a code to it. */
  start(): Promise<void>;
  confirm(code: string): Promise<void>;
  stop(): Promise<void>;
};

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in globalThis;

const addressOf = (subscription: PushSubscription): Medium => ({
  kind: 'Push',
  address: JSON.stringify(subscription),
});

const isSame = (one: Medium, other: Medium) => one.kind === other.kind && one.address === other.address;

type Parts = { readonly api: Api; readonly userId: number; readonly scope: string };

export function createPushAddress({ api, userId, scope }: Parts): PushAddress {
  const path = `/users/${userId}/media`;
  const readMedia = async () => (await api.get<UserMedia>(path)).data.media;
  const readKey = async () => (await api.get<PushKey>('/me/push-key')).data.publicKey;
  const own = async () =>
    (await navigator.serviceWorker.getRegistration(scope))?.pushManager.getSubscription();
  const replaceMedia = async (change: (media: Medium[]) => Medium[]) => {
    const media = (await readMedia()).map(({ kind, address, enabled = true }) => ({
      kind,
      address,
      enabled,
    }));
    await api.put(path, { media: change(media) });
  };
  return {
    readState: async () => {
      if (!isSupported()) return 'unsupported';
      if ((await readKey()) === undefined) return 'not-offered';
      if (Notification.permission === 'denied') return 'denied';
      const subscription = await own();
      if (!subscription) return 'off';
      const medium = (await readMedia()).find((one) => isSame(one, addressOf(subscription)));
      if (!medium) return 'off';
      return medium.confirmed === undefined ? 'unconfirmed' : 'on';
    },
    start: async () => {
      const applicationServerKey = await readKey();
      if (applicationServerKey === undefined || (await Notification.requestPermission()) !== 'granted')
        return;
      const { pushManager } = await navigator.serviceWorker.ready;
      const address = addressOf(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
      await replaceMedia((media) => [...media.filter((one) => !isSame(one, address)), address]);
      await api.post(`${path}/code`, address);
    },
    confirm: async (code) => {
      const subscription = await own();
      if (subscription) await api.post(`${path}/confirmation`, { ...addressOf(subscription), code });
    },
    stop: async () => {
      const subscription = await own();
      if (!subscription) return;
      // First at the server: a subscription that has ended must not stay an address.
      await replaceMedia((media) => media.filter((one) => !isSame(one, addressOf(subscription))));
      await subscription.unsubscribe();
    },
  };
}
