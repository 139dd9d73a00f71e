// Where a peer of the network listens, as people write it.

export interface PeerAddressText {
  /** A name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number | undefined;
}

/** `host`, `host:port`, an IPv6 address, or one in brackets with a port; undefined for anything else. */
export function parsePeerAddress(text: string): PeerAddressText | undefined {
  const isBareIpv6 = text.split(':').length > 2 && !text.startsWith('[');
  const written = isBareIpv6 ? `[${text}]` : text;
  const [, host = '', digits] = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::(\d{1,5}))?$/.exec(written) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (host === '' || port === 0 || !URL.canParse(`http://${written}`)) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port };
}
