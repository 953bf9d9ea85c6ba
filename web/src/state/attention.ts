/** `notify`: tells a reader who looks elsewhere that something waits for them. Asked for by a press, never before. */

/** Whether the reader can still be asked whether they want to be told. */
export function canAsk(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'default';
}

/** Asks the reader. Only from within a press: browsers, and readers, mind everything else. */
export async function ask(): Promise<boolean> {
  if (!('Notification' in globalThis)) return false;
  return (await Notification.requestPermission()) === 'granted';
}

/** Says so, once for each conversation, where the reader wants to be told and looks elsewhere. */
export function notify(words: string, about: string, conversation: string): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  if (document.visibilityState === 'visible' && document.hasFocus()) return;
  try {
    const shown = new Notification(words, { body: about, tag: conversation });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some browsers only let a worker do this: the title says it, too.
  }
}
