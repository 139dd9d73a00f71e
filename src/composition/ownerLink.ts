// The same companion for callers that could also edit its files: the command line and the private socket.

import type { JsonLink, Link } from '../protocol/link.ts';
import type { CallContext } from '../protocol/operations.ts';

/** A caller that has presented a grant is not the owner. */
const owned = (context: CallContext): CallContext => ({ ...context, byOwner: context.grant === undefined });

export const asOwner = (link: Link & JsonLink): Link & JsonLink => ({
  dispatchJson: (name, body, context) => link.dispatchJson(name, body, owned(context)),
  dispatch: (name, input, context) => link.dispatch(name, input, owned(context)),
  health: () => link.health(),
  subscribe: (listener, wallet) => link.subscribe(listener, wallet),
});
