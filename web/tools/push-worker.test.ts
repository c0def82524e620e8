import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

import { expect, test, vi } from 'vitest';

type Handler = (event: unknown) => void;

/** Runs the worker's part with a fake global and returns its handlers. */
function load(
  pages: { url: string; focus: () => unknown; navigate: (to: string) => unknown }[] = [],
) {
  const handlers: Record<string, Handler> = {};
  const showNotification = vi.fn();
  const openWindow = vi.fn();
  const self = {
    addEventListener: (name: string, handler: Handler) => (handlers[name] = handler),
    registration: { showNotification },
    clients: { matchAll: async () => pages, openWindow },
  };
  const source = readFileSync(new URL('push-worker.js', import.meta.url), 'utf8');
  runInNewContext(source, { self, URL });
  return { handlers, showNotification, openWindow };
}

const pushOf = (json: () => unknown) => ({ data: { json }, waitUntil: () => {} });

test('a push message shows its title, text and path', () => {
  const { handlers, showNotification } = load();
  handlers['push']?.(pushOf(() => ({ title: 'Paid', body: '5', path: '/m/withdraw' })));
  expect(showNotification).toHaveBeenCalledWith(
    'Paid',
    expect.objectContaining({ body: '5', data: { path: '/m/withdraw' } }),
  );
});

test('a push message that is no JSON shows nothing', () => {
  const { handlers, showNotification } = load();
  handlers['push']?.(
    pushOf(() => {
      throw new SyntaxError('no JSON');
    }),
  );
  expect(showNotification).not.toHaveBeenCalled();
});

test.each([
  ['/m/withdraw', '/m/withdraw'],
  ['https://evil.example.test/', '/m/message'],
  ['//evil.example.test/m/', '/m/message'],
])('a tap on a notification with the path %s opens %s', async (path, to) => {
  const { handlers, openWindow } = load();
  let done: Promise<unknown> = Promise.resolve();
  handlers['notificationclick']?.({
    notification: { close: () => {}, data: { path } },
    waitUntil: (task: Promise<unknown>) => (done = task),
  });
  await done;
  expect(openWindow).toHaveBeenCalledWith(to);
});
