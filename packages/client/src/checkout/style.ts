// The checkout's style, for a constructed sheet: a policy that refuses inline styles lets it pass. Colours follow the page's
// `color-scheme`, and the shop's custom properties.

export const STYLE = `
:host { display: block; }
[hidden] { display: none !important; }
section {
  box-sizing: border-box; max-width: 24rem; padding: 1rem; margin: 0 auto; text-align: center;
  font: 1rem/1.4 var(--checkout-font, system-ui, sans-serif);
  color: var(--checkout-text, CanvasText); background: var(--checkout-background, Canvas);
  border: 1px solid var(--checkout-border, GrayText); border-radius: var(--checkout-radius, .5rem);
  border-top: .4rem solid var(--checkout-accent, #1b5fad);
}
section.part { border-top-color: var(--checkout-part, #9a6700); }
section.good { border-top-color: var(--checkout-good, #1a7f37); }
section.over { border-top-color: var(--checkout-over, #b3261e); }
p { margin: .5rem 0; }
.amount { font-size: 1.6rem; font-weight: 600; }
.headline { font-size: 1.2rem; font-weight: 600; }
.code svg { width: 100%; max-width: 17rem; background: #fff; fill: #000; forced-color-adjust: none; }
.pay { display: grid; gap: .75rem; }
code { font-size: .8rem; overflow-wrap: anywhere; user-select: all; }
a, button {
  font: inherit; padding: .6rem 1rem; border-radius: var(--checkout-radius, .5rem); cursor: pointer; text-decoration: none;
  border: 1px solid var(--checkout-accent, #1b5fad);
}
a { color: var(--checkout-on-accent, #fff); background: var(--checkout-accent, #1b5fad); }
button { color: inherit; background: transparent; }
:focus-visible { outline: 3px solid var(--checkout-accent, #1b5fad); outline-offset: 2px; }
`;
