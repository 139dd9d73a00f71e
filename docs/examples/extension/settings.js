// Where the companion listens.
export const COMPANION_URL = 'http://127.0.0.1:3000';
