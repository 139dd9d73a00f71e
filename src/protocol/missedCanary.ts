// The one reason for a kernel that the doctor has to recognise.

/** Why the wide kernel is not used any more: in /healthz, in kernel.json and for the doctor. */
export const MISSED_CANARY =
  'the wide kernel missed a canary, which it must not on this machine: it is not used any more, and what it scanned then was scanned again';
