import type { BrowserContext, Page } from '@playwright/test';

const messagesByPage = new WeakMap<Page, string[]>();

/** Returns all toasts and alerts that a page has shown since it was opened, including those before a reload. */
export function shownMessages(page: Page): readonly string[] {
  return messagesOf(page);
}

/** Records the toasts and alerts of a context's pages. The page records them, because some last only a second. */
export async function recordMessages(context: BrowserContext): Promise<void> {
  await context.exposeBinding('reportMessage', ({ page }, text: string) => {
    messagesOf(page).push(text);
  });
  await context.addInitScript(observeMessages);
}

function messagesOf(page: Page): string[] {
  const messages = messagesByPage.get(page) ?? [];
  messagesByPage.set(page, messages);
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
      const element = target instanceof Element ? target : target.parentElement;
      const region = element?.closest(regions);
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
