// Test files share one page. These functions reset it between files.
import { focusManager, onlineManager } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';

type ListenerArgs = Parameters<EventTarget['addEventListener']>;

/** The initial state of the page. It is stored on the page, because each file loads the modules again. */
type InitialState = {
  objects: [object, Map<PropertyKey, PropertyDescriptor>][];
  added: ListenerArgs[][];
};

const shared = globalThis as { initialPage?: InitialState };

/** Records the initial state once. Call it after the setup that all files need. */
export function recordPage(): void {
  shared.initialPage ??= { added: watchListeners(), objects: snapshot() };
}

/** Resets the page to its initial state. */
export function clearPage(): void {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  restore(shared.initialPage?.objects ?? []);
  for (const [i, target] of targets().entries()) {
    for (const args of shared.initialPage?.added[i]?.splice(0) ?? [])
      target.removeEventListener(...args);
  }
  localStorage.clear();
  sessionStorage.clear();
  // wouter patches history once for the life of the page, so use its own function.
  navigate('/', { replace: true });
  for (const element of [document.documentElement, document.head, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  document.head.replaceChildren();
  document.body.replaceChildren();
  onlineManager.setOnline(true);
  focusManager.setFocused(undefined);
}

const targets = (): EventTarget[] => [window, document];

/** Records the listeners that are added to window and document. */
function watchListeners(): ListenerArgs[][] {
  // Libraries add permanent listeners on first use. Do that before recording.
  render(null);
  cleanup();
  userEvent.setup();
  return targets().map((target) => {
    const added: ListenerArgs[] = [];
    const listen = target.addEventListener.bind(target);
    target.addEventListener = (...args: ListenerArgs) => {
      added.push(args);
      listen(...args);
    };
    return added;
  });
}

function snapshot(): InitialState['objects'] {
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

function restore(objects: InitialState['objects']): void {
  for (const [one, first] of objects) {
    for (const [key, now] of properties(one)) {
      // These belong to the test runner and to React.
      if (
        !now.configurable ||
        typeof key === 'symbol' ||
        /^__|^IS_REACT|^initialPage/.test(key as string)
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
