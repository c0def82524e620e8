// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { createStore, localStore } from './storage.ts';

test('stores values in the browser', () => {
  localStore.set('lang', 'vi');
  expect(window.localStorage.getItem('lang')).toBe('vi');
  localStore.remove('lang');
  expect(localStore.get('lang')).toBeNull();
});

test('uses memory if storage is blocked', () => {
  const store = createStore(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  store.set('token', 'a');
  expect(store.get('token')).toBe('a');
  store.clear();
  expect(store.get('token')).toBeNull();
});

test('uses memory while storage is full, and storage again after that', () => {
  const values = new Map([['theme', 'dark']]);
  let full = true;
  const storage: Storage = {
    get length() {
      return values.size;
    },
    key: () => null,
    getItem: (key) => values.get(key) ?? null,
    setItem(key, value) {
      if (full) throw new DOMException('full', 'QuotaExceededError');
      values.set(key, value);
    },
    removeItem: (key) => void values.delete(key),
    clear: () => values.clear(),
  };
  const store = createStore(() => storage);
  store.set('theme', 'light');
  expect(store.get('theme')).toBe('light');
  full = false;
  store.set('theme', 'dark');
  expect(values.get('theme')).toBe('dark');
  expect(store.get('theme')).toBe('dark');
});
