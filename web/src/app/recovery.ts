// Parts of the app that could not be fetched. Most often the network or the server is away for a moment: whoever
// wanted the part tells so and tries again. After a release, though, the files of the one before are no longer on
// the server, and a page that an older worker keeps would ask for them in vain for as long as it lives.
import { msg } from '@lingui/core/macro';

import { toast } from '../ui/toastStore.ts';
import { activate, findUpdate } from './update.ts';

/** Two losses within this time are not mended by another reload. */
const guardMs = 5 * 60_000;
const guardKey = 'reloadedAt';
/** How long the server may take to say which release it has. */
const patience = 10_000;

type Loss = {
  /** What the server says about this page's release; unknown where it does not answer. */
  release: 'current' | 'old' | 'unknown';
  now: number;
  /** When this tab was last reloaded for a loss; null if never, NaN if that cannot be known. */
  reloadedAt: number | null;
  /** Whether something is typed that a reload would lose. */
  typed: boolean;
  /** Whether trying again has already failed: some engines remember a failed part while the page lives. */
  again: boolean;
};

/** What follows when a part could not be fetched: nothing more, a reload that is offered, or one that is done. */
export function remedyFor(loss: Loss): 'none' | 'offer' | 'reload' {
  const { release, now, reloadedAt, typed, again } = loss;
  if (release === 'unknown') return 'none';
  if (release === 'current') return again ? 'offer' : 'none';
  const recent = reloadedAt !== null && !(now - reloadedAt >= guardMs);
  return typed || recent ? 'offer' : 'reload';
}

/** Follows failed imports of this app's parts. Whoever wanted one tells the member meanwhile. */
export function recoverFailedImports(): void {
  let losses = 0;
  addEventListener('vite:preloadError', () => {
    losses += 1;
    void mend(losses > 1);
  });
}

async function mend(again: boolean): Promise<void> {
  const release = await findRelease();
  const next = release === 'unknown' ? null : await findUpdate().catch(() => null);
  const remedy = remedyFor({
    release: next ? 'old' : release,
    now: Date.now(),
    reloadedAt: lastReload(),
    typed: somethingTyped(),
    again,
  });
  if (remedy === 'none') return;
  const reload = () => renew(next);
  if (remedy === 'reload') reload();
  else {
    const text = next || release === 'old' ? msg`A new version is ready` : msg`Load failed`;
    toast.show(text, { persistent: true, action: { label: msg`Reload`, onPress: reload } });
  }
}

function renew(next: ServiceWorker | null): void {
  try {
    sessionStorage.setItem(guardKey, String(Date.now()));
  } catch {
    // Without a memory nothing is ever reloaded by itself.
  }
  if (next) activate(next);
  else location.reload();
}

/** Asks the server, past every cache and worker, whether its page still names the file of this very code. */
async function findRelease(): Promise<Loss['release']> {
  try {
    const answer = await fetch(`${import.meta.env.BASE_URL}index.html?release`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(patience),
    });
    if (!answer.ok) return 'unknown';
    const own = new URL(import.meta.url).pathname;
    return (await answer.text()).includes(own) ? 'current' : 'old';
  } catch {
    return 'unknown';
  }
}

function somethingTyped(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'textarea, input:not([type=radio], [type=checkbox], [type=hidden])',
  );
  return [...fields].some(({ value }) => value !== '');
}

/** Straight from the browser: a memory that does not outlive the page would be no guard. */
function lastReload(): number | null {
  try {
    const kept = sessionStorage.getItem(guardKey);
    return kept === null ? null : Number(kept);
  } catch {
    return Number.NaN;
  }
}
