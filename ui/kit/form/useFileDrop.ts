import { useState, type ChangeEvent, type DragEvent } from 'react';

/**
 * Returns the handlers of an element that takes one dropped file, and of the file input inside it. `over` is true while
 * something is dragged over the element. Of several files the first is taken.
 */
export function useFileDrop(onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  const take = (files: FileList | null): void => {
    const [chosen] = files ?? [];
    if (chosen) onFile(chosen);
  };
  const target = {
    onDragOver: (event: DragEvent): void => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (): void => setOver(false),
    onDrop: (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer.files);
    },
  };
  const onPick = (event: ChangeEvent<HTMLInputElement>): void => {
    take(event.target.files);
    // The same file can then be chosen again after it was changed.
    event.target.value = '';
  };
  return { over, target, onPick };
}
