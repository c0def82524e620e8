// The part of the service worker for push messages. The build appends it to the generated worker.
self.addEventListener('push', (event) => {
  let note = {};
  try {
    note = event.data?.json() ?? {};
  } catch {
    return; // not a message of this server
  }
  const { title, body = '', path = '/m/message' } = note;
  if (typeof title !== 'string' || title === '') return;
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      icon: '/m/icons/icon-192.png',
      badge: '/m/icons/icon-192.png',
      data: { path },
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { path } = event.notification.data ?? {};
  // Only pages of this app.
  const to = typeof path === 'string' && /^\/m\/[^\\]*$/.test(path) ? path : '/m/message';
  event.waitUntil(
    (async () => {
      const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
      const page = pages.find(({ url }) => new URL(url).pathname.startsWith('/m/'));
      if (!page) return self.clients.openWindow(to);
      await page.focus();
      return page.navigate(to);
    })(),
  );
});
