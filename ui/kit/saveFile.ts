/** Downloads a blob as a file. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Revoked later: Safari would save nothing if the URL were gone at once.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
