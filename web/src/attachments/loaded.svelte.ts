/** `Loaded`: the bytes of something that is attached, for as long as a component shows them. */

import type { Attachment } from '../events/types';
import { source } from './source';

export class Loaded {
  url = $state<string>();
  failed = $state(false);

  /** Belongs to the component that makes it. */
  constructor(attachment: () => Attachment) {
    const fetched = source();
    $effect(() => {
      let url: string | undefined;
      let stale = false;
      this.failed = false;
      fetched(attachment()).then(
        (blob) => {
          if (stale) return;
          url = URL.createObjectURL(blob);
          this.url = url;
        },
        () => (this.failed = !stale),
      );
      return () => {
        stale = true;
        this.url = undefined;
        if (url !== undefined) URL.revokeObjectURL(url);
      };
    });
  }
}
