// Recovers from failed imports. Usually the network is down for a moment, and the component that needs the code shows an error and retries.
// After a release, however, the server no longer has the files of the old one, so an old page must be reloaded.
import { msg } from '@lingui/core/macro';

import { screenLost } from '../lib/load-failure.ts';
import { toast } from '../ui/toastStore.ts';
import { activate, findUpdate } from './update.ts';

/** The minimum time between two automatic reloads. */
const minReloadIntervalMs = 5 * 60_000;
const reloadedAtKey = 'reloadedAt';
const releaseTimeoutMs = 10_000;

type FailedImport = {
  /** Whether the server still has this page's release. */
  release: 'current' | 'old' | 'unknown';
  now: number;
  /** When this tab was last reloaded after a failed import. Null if never, NaN if unknown. */
  reloadedAt: number | null;
  /** Whether a reload would lose typed text. */
  typed: boolean;
  /** Whether an import failed before. Some browsers never retry a failed import. */
  repeated: boolean;
  /** Whether a screen failed to load again after the member retried. */
  lost: boolean;
};

/** Decides whether to reload after a failed import, or to offer a reload. */
export function chooseRecovery(failure: FailedImport): 'none' | 'offer' | 'reload' {
  const { release, now, reloadedAt, typed, repeated, lost } = failure;
  if (release === 'unknown') return 'none';
  if (release === 'current' && !lost) return repeated ? 'offer' : 'none';
  const isRecent = reloadedAt !== null && !(now - reloadedAt >= minReloadIntervalMs);
  return typed || isRecent ? 'offer' : 'reload';
}

/** Handles failed imports until the page is closed. */
export function recoverFailedImports(): void {
  let failures = 0;
  addEventListener('vite:preloadError', () => {
    failures += 1;
    void recover(failures > 1, false);
  });
  addEventListener(screenLost, () => void recover(true, true));
}

async function recover(repeated: boolean, lost: boolean): Promise<void> {
  const release = await findRelease();
  const next = release === 'unknown' ? null : await findUpdate().catch(() => null);
  const recovery = chooseRecovery({
    release: next ? 'old' : release,
    now: Date.now(),
    reloadedAt: lastReload(),
    typed: hasTypedText(),
    repeated,
    lost,
  });
  if (recovery === 'none') return;
  const reload = () => reloadPage(next);
  if (recovery === 'reload') reload();
  else {
    const text = next || release === 'old' ? msg`A new version is ready` : msg`Load failed`;
    toast.show(text, { persistent: true, action: { label: msg`Reload`, onPress: reload } });
  }
}

function reloadPage(next: ServiceWorker | null): void {
  try {
    sessionStorage.setItem(reloadedAtKey, String(Date.now()));
  } catch {
    // Without storage, lastReload returns NaN, which prevents automatic reloads.
  }
  if (next) activate(next);
  else location.reload();
}

/** Checks whether the server's index.html still names this file. It bypasses all caches and the service worker. */
async function findRelease(): Promise<FailedImport['release']> {
  try {
    const response = await fetch(`${import.meta.env.BASE_URL}index.html?release`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(releaseTimeoutMs),
    });
    if (!response.ok) return 'unknown';
    const thisFile = new URL(import.meta.url).pathname;
    return (await response.text()).includes(thisFile) ? 'current' : 'old';
  } catch {
    return 'unknown';
  }
}

function hasTypedText(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'textarea, input:not([type=radio], [type=checkbox], [type=hidden])',
  );
  return [...fields].some(({ value }) => value !== '');
}

/** Reads the browser's storage directly, because the fallback of lib/storage.ts does not outlive a reload. */
function lastReload(): number | null {
  try {
    const stored = sessionStorage.getItem(reloadedAtKey);
    return stored === null ? null : Number(stored);
  } catch {
    return Number.NaN;
  }
}
