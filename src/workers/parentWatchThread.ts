// Entry of a thread in a process that must not outlive its parent: the parent's end closes the pipe, which the thread
// notices even while the process computes. Nothing is written to the pipe.

import { Socket } from 'node:net';

const parent = new Socket({ fd: 0 });
parent.on('close', () => process.kill(process.pid, 'SIGKILL'));
// Followed by `close`.
parent.on('error', () => undefined);
parent.resume();
