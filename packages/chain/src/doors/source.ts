// What both kinds of server share: checks before a transaction is sent or asked for, roots of finished subtrees.

export { checkSendable, checkTxid } from '../chain/source/sending.ts';
export { collectSubtreeRoots } from '../chain/source/subtreeRoots.ts';
