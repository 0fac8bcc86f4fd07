/** Hands a file over to the browser to be saved. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has taken hold of it by then; at once, Safari would save nothing.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
