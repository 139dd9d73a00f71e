// How connections leave this machine: directly, or through a SOCKS5 proxy that looks names up. Node.js only.

export {
  DIRECT,
  Outgoing,
  type OutgoingParts,
  type ProxySetting,
  type Purpose,
  Route,
  type Way,
  type WayTo,
} from '../proxy/outgoing.ts';
export { PROXY_AWAY, ProxyError, type ProxyLogin, proxyFault, type Target } from '../proxy/socks5.ts';
