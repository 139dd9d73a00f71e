// What a companion's thread for the chain is built of: the servers and stores in use, and what each wallet asks of them.

export { ChainContext } from '../chain/context/chainContext.ts';
export type { ChainEnvironment, Peers } from '../chain/context/chainEnvironment.ts';
export { ContextChainService } from '../chain/context/contextChainService.ts';
export type { AskedServer } from '../chain/context/servers.ts';
