// The same companion for callers that could also edit its files: the command line and the private socket.

import type { JsonLink, Link } from '../protocol/link.ts';

export const asOwner = (link: Link & JsonLink): Link & JsonLink => ({
  dispatchJson: (name, body, context) => link.dispatchJson(name, body, { ...context, byOwner: true }),
  dispatch: (name, input, context) => link.dispatch(name, input, { ...context, byOwner: true }),
  health: () => link.health(),
  subscribe: (listener, wallet) => link.subscribe(listener, wallet),
});
