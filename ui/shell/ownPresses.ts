/**
 * Makes the release of Enter or Space count only where it was pressed. Blueprint's buttons click on the release of a
 * key, so the press that opened a question would answer it as well, when the focus moves to a button of the question
 * before the key is let go. Called once for a page.
 */
export function keepPressesApart(): void {
  // By physical key; repeats of a held key may reach another element.
  const pressedAt = new Map<string, EventTarget | null>();
  window.addEventListener('keydown', ({ code, target, repeat }) => repeat || pressedAt.set(code, target), true);
  window.addEventListener(
    'keyup',
    (event) => {
      const isClick = event.key === 'Enter' || event.key === ' ';
      if (isClick && pressedAt.get(event.code) !== event.target) event.stopPropagation();
      pressedAt.delete(event.code);
    },
    true,
  );
}
