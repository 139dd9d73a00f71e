// The bridge to BTCPay Server, and the file with the token that BTCPay shows.

export { type Bridge, startBridge } from '../bridge/server/bridge.ts';
export { tokenIn } from '../bridge/server/token.ts';
