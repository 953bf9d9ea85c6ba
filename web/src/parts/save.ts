/** `save`: hands the reader a file. */
export function save(name: string, text: string): void {
  saveBlob(name, new Blob([text], { type: 'application/json' }));
}

export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement('a');
  // Whatever it is, it is saved and not opened.
  link.href = URL.createObjectURL(blob.slice(0, blob.size, 'application/octet-stream'));
  link.download = name;
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
