// What the ways to a wallet share: the button back to the choice between them.

export interface FlowProps {
  readonly back: () => void;
}

export function BackButton({ back }: FlowProps) {
  return (
    <button type="button" class="quiet" onClick={back}>
      Back
    </button>
  );
}
