// The settings of hooks: which events there are, and an entry of `on_event`.

export * from '../settings/hookEvents.ts';
