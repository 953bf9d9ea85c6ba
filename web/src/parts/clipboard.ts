/** `copy`: puts text where it can be pasted. Says whether that worked. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without https, or where it is forbidden.
    return false;
  }
}
