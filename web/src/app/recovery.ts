// Parts of the app that are gone. After a release the files of the one before are no longer on the server, and
// a page that an older worker keeps would ask for them in vain for as long as it lives.
import { activate, findUpdate } from './pwa.ts';

/** Two losses within this time are not mended by another reload. */
const guardMs = 5 * 60_000;
const guardKey = 'reloadedAt';

type Loss = {
  online: boolean;
  now: number;
  /** When this tab was last reloaded for a loss; null if never, NaN if that cannot be known. */
  reloadedAt: number | null;
  /** Whether a newer release waits to take over. */
  update: boolean;
};

/** What mends a part that could not be fetched: the new release, the page anew, or nothing but telling. */
export function remedyFor({ online, now, reloadedAt, update }: Loss): 'tell' | 'update' | 'reload' {
  if (!online) return 'tell';
  if (reloadedAt !== null && !(now - reloadedAt >= guardMs)) return 'tell';
  return update ? 'update' : 'reload';
}

/** Follows failed imports of this app's parts. The screen that wanted one tells the member meanwhile. */
export function mendLostParts(): void {
  addEventListener('vite:preloadError', () => void mend());
}

async function mend(): Promise<void> {
  const next = await findUpdate().catch(() => null);
  const remedy = remedyFor({
    online: navigator.onLine,
    now: Date.now(),
    reloadedAt: lastReload(),
    update: next !== null,
  });
  if (remedy === 'tell') return;
  sessionStorage.setItem(guardKey, String(Date.now()));
  if (next) activate(next);
  else location.reload();
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
