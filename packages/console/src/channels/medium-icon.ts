import type { IconName } from '../symbols/icon-names.ts';

const icons: Readonly<Record<string, IconName>> = {
  Voice: 'phone',
  Sms: 'message-square-text',
  Email: 'mail',
  Push: 'smartphone',
  Webhook: 'send',
  Pager: 'radio-tower',
};

export const iconOfMedium = (medium: string): IconName => icons[medium] ?? 'send';
