import type { BrowserContext, Page } from '@playwright/test';

const records = new WeakMap<Page, string[]>();

/** All that a page has told in toasts and alerts since it was opened, over reloads too. */
export function told(page: Page): readonly string[] {
  return record(page);
}

/**
 * Keeps what the pages of a context tell. Some toasts last a second: on a busy machine nobody looks at the page in time, so
 * the page itself notes them as they come.
 */
export async function listen(context: BrowserContext): Promise<void> {
  await context.exposeBinding('noteTold', ({ page }, text: string) => {
    record(page).push(text);
  });
  await context.addInitScript(note);
}

function record(page: Page): string[] {
  const kept = records.get(page) ?? [];
  records.set(page, kept);
  return kept;
}

/** Runs in the page, before anything of the app. */
function note(): void {
  if (window !== window.top) return;
  const regions = '[role=status], [role=alert]';
  const { noteTold } = window as unknown as { noteTold: (text: string) => Promise<void> };
  const tell = (region: Element) => {
    const text = region.textContent.replaceAll(/\s+/g, ' ').trim();
    const hidden = region.closest('[aria-hidden=true], [inert]');
    if (text && !hidden && region.checkVisibility({ visibilityProperty: true }))
      void noteTold(text);
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
        for (const one of node.querySelectorAll(regions)) changed.add(one);
      }
    }
    for (const region of changed) tell(region);
  }).observe(document, { childList: true, subtree: true, characterData: true });
}
