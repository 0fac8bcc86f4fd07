const isPress = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' ';

/**
 * Makes the repeats and the release of Enter or Space count only where it was pressed. Otherwise the press that opens a
 * question answers it as well, when the focus moves into the question before the key is let go: Blueprint's buttons click
 * on the release, and forms are submitted by a repeat. Called once for a page.
 */
export function keepPressesApart(): void {
  // By physical key.
  const pressedAt = new Map<string, EventTarget | null>();
  const isForeign = (event: KeyboardEvent): boolean => isPress(event) && pressedAt.get(event.code) !== event.target;
  window.addEventListener(
    'keydown',
    (event) => {
      // It ends what an input method composes, not the dialog around the field.
      if (event.isComposing && event.key === 'Escape') event.stopPropagation();
      if (!event.repeat) pressedAt.set(event.code, event.target);
      else if (isForeign(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    true,
  );
  window.addEventListener(
    'keyup',
    (event) => {
      if (isForeign(event)) event.stopPropagation();
      pressedAt.delete(event.code);
    },
    true,
  );
}
