// Test files share one page, so what a file leaves behind in it is taken away before the next one.
import { focusManager, onlineManager } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';

type Listening = Parameters<EventTarget['addEventListener']>;

/** How the page was before its first file. Our modules are loaded anew for each file, so it is kept by the page itself. */
type Kept = { objects: [object, Map<PropertyKey, PropertyDescriptor>][]; heard: Listening[][] };

const shared = globalThis as { pageAtFirst?: Kept };

/** Remembers how the page is, once: to be called when it has all that every file needs. */
export function keepPage(): void {
  shared.pageAtFirst ??= { heard: watchListeners(), objects: snapshot() };
}

/** Brings the page back to how it was. */
export function clearPage(): void {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  restore(shared.pageAtFirst?.objects ?? []);
  for (const [i, target] of targets().entries()) {
    for (const listening of shared.pageAtFirst?.heard[i]?.splice(0) ?? [])
      target.removeEventListener(...listening);
  }
  localStorage.clear();
  sessionStorage.clear();
  // Of the library: loading it makes history tell of steps, once for as long as the page lives.
  navigate('/', { replace: true });
  for (const element of [document.documentElement, document.head, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  document.head.replaceChildren();
  document.body.replaceChildren();
  onlineManager.setOnline(true);
  focusManager.setFocused(undefined);
}

const targets = (): EventTarget[] => [window, document];

/** What window and document hear from here on. */
function watchListeners(): Listening[][] {
  // Libraries that listen once for as long as the page lives must have begun.
  render(null);
  cleanup();
  userEvent.setup();
  return targets().map((target) => {
    const heard: Listening[] = [];
    const listen = target.addEventListener.bind(target);
    target.addEventListener = (...listening: Listening) => {
      heard.push(listening);
      listen(...listening);
    };
    return heard;
  });
}

function snapshot(): Kept['objects'] {
  const kinds = [Element, HTMLElement, HTMLImageElement, HTMLDialogElement, HTMLMediaElement];
  const more = [HTMLCanvasElement, HTMLIFrameElement, HTMLFormElement, Document, Storage];
  const prototypes = [...kinds, ...more].map((kind): object => kind.prototype);
  const objects = [globalThis, navigator, document, history, screen, URL, ...prototypes];
  return objects.map((one) => [one, new Map(properties(one))]);
}

function properties(one: object): [PropertyKey, PropertyDescriptor][] {
  return Reflect.ownKeys(one).flatMap((key) => {
    const found = Reflect.getOwnPropertyDescriptor(one, key);
    return found ? [[key, found] as [PropertyKey, PropertyDescriptor]] : [];
  });
}

function restore(objects: Kept['objects']): void {
  for (const [one, first] of objects) {
    for (const [key, now] of properties(one)) {
      // What the runner and React keep for themselves.
      if (
        !now.configurable ||
        typeof key === 'symbol' ||
        /^__|^IS_REACT|^pageAtFirst/.test(key as string)
      )
        continue;
      const before = first.get(key);
      if (!before) Reflect.deleteProperty(one, key);
      else if (now.value !== before.value || now.get !== before.get)
        Object.defineProperty(one, key, before);
    }
    for (const [key, before] of first)
      if (!Reflect.getOwnPropertyDescriptor(one, key)) Object.defineProperty(one, key, before);
  }
}
