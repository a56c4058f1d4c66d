import { join } from 'node:path';
import type { ChannelDependencies } from '../channels/channel.routes.ts';
import { createEgress } from '../channels/network/egress.ts';
import type { Telephony } from '../channels/port/telephony.ts';
import type { SecretBox } from '../common/secret-box.ts';
import type { Config } from '../settings/config.ts';

/** The environment of all channels, from the settings of the server. */
export function channelDependencies(
  { egressAllow, smsModemDirectory }: Config,
  box: SecretBox | undefined,
  telephony: Telephony,
): ChannelDependencies {
  const modemDirectoryOf = (tenantId: number) =>
    smsModemDirectory === undefined ? undefined : join(smsModemDirectory, String(tenantId));
  return { box, egressOf: createEgress(egressAllow), modemDirectoryOf, telephony };
}
