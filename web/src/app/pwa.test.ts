// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';

import { toast, useToastStore } from '../ui/toastStore.ts';
import { install } from './pwa.ts';

class Worker extends EventTarget {
  state = 'installing';
  postMessage = vi.fn();

  become(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

class Registration extends EventTarget {
  waiting: Worker | null = null;
  installing: Worker | null = null;

  find(next: Worker): void {
    this.installing = next;
    this.dispatchEvent(new Event('updatefound'));
  }
}

afterEach(() => {
  toast.hide();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

function installWith(registration: Registration, controller: object | null): Promise<void> {
  const register = () => Promise.resolve(registration);
  const serviceWorker = { controller, register };
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
  return install();
}

const toastShown = () => useToastStore.getState().current;

test('a new version is offered until the member accepts it, and then activated', async () => {
  const registration = new Registration();
  await installWith(registration, {});
  const next = new Worker();
  registration.find(next);
  expect(toastShown()).toBeNull();
  next.become('installed');
  expect(toastShown()).toMatchObject({
    persistent: true,
    text: { message: 'A new version is ready' },
  });
  expect(next.postMessage).not.toHaveBeenCalled();
  toastShown()?.action?.onPress();
  expect(next.postMessage.mock.calls).toEqual([[{ type: 'SKIP_WAITING' }]]);
});

test('a version that is already waiting is offered at once', async () => {
  const registration = new Registration();
  registration.waiting = new Worker();
  await installWith(registration, {});
  await expect.poll(() => toastShown()?.action).toBeDefined();
  toastShown()?.action?.onPress();
  expect(registration.waiting.postMessage).toHaveBeenCalledTimes(1);
});

test('the first installed version is not offered as an update', async () => {
  const registration = new Registration();
  registration.waiting = new Worker();
  await installWith(registration, null);
  const first = new Worker();
  registration.find(first);
  first.become('installed');
  expect(toastShown()).toBeNull();
});
