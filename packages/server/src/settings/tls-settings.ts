type TlsSettings = {
  readonly tlsCertFile?: string;
  readonly tlsKeyFile?: string;
  readonly tlsClientCaFile?: string;
  readonly nodeCaFile?: string;
  readonly nodeAddress?: string;
};

/** The faults in the combination of TLS settings. */
export function tlsFaults(settings: TlsSettings): string[] {
  const { tlsCertFile, tlsKeyFile, tlsClientCaFile, nodeCaFile, nodeAddress } = settings;
  const faults: string[] = [];
  if ((tlsCertFile === undefined) !== (tlsKeyFile === undefined))
    faults.push('TLS_CERT_FILE and TLS_KEY_FILE go together: set both or neither');
  if (tlsCertFile === undefined && tlsClientCaFile !== undefined)
    faults.push('TLS_CLIENT_CA_FILE needs TLS_CERT_FILE: without TLS no client shows a certificate');
  if (tlsCertFile === undefined && nodeCaFile !== undefined)
    faults.push('NODE_CA_FILE needs TLS_CERT_FILE: it is what this server shows to the others');
  if (tlsCertFile !== undefined && nodeAddress?.startsWith('http:'))
    faults.push('NODE_ADDRESS begins with http: although this server speaks HTTPS only (TLS_CERT_FILE)');
  return faults;
}
