import type { BrowserContext, Page } from '@playwright/test';

const records = new WeakMap<Page, string[]>();

/** All toasts and alerts a page has shown since it was opened, also before a reload. */
export function shownMessages(page: Page): readonly string[] {
  return record(page);
}

/** Records the toasts and alerts of a context's pages. The page records them, because some last only a second. */
export async function recordMessages(context: BrowserContext): Promise<void> {
  await context.exposeBinding('reportMessage', ({ page }, text: string) => {
    record(page).push(text);
  });
  await context.addInitScript(observeMessages);
}

function record(page: Page): string[] {
  const messages = records.get(page) ?? [];
  records.set(page, messages);
  return messages;
}

/** Runs in the page, before the app. */
function observeMessages(): void {
  if (window !== window.top) return;
  const regions = '[role=status], [role=alert]';
  const { reportMessage } = window as unknown as { reportMessage: (text: string) => Promise<void> };
  const report = (region: Element) => {
    const text = region.textContent.replaceAll(/\s+/g, ' ').trim();
    const hidden = region.closest('[aria-hidden=true], [inert]');
    if (text && !hidden && region.checkVisibility({ visibilityProperty: true }))
      void reportMessage(text);
  };
  new MutationObserver((changes) => {
    const changed = new Set<Element>();
    for (const { target, addedNodes } of changes) {
      const within = target instanceof Element ? target : target.parentElement;
      const region = within?.closest(regions);
      if (region) {
        changed.add(region);
        continue;
      }
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches(regions)) changed.add(node);
        for (const inner of node.querySelectorAll(regions)) changed.add(inner);
      }
    }
    for (const region of changed) report(region);
  }).observe(document, { childList: true, subtree: true, characterData: true });
}
