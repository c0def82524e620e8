// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest';

import { Draft } from './draft.ts';
import { navigate } from './router.tsx';

afterEach(() => navigate('/m/home'));

test('a draft survives the pages that belong to it, and any other page drops it', () => {
  navigate('/m/register');
  const draft = new Draft<string>(/^\/m\/(?:register|policy\/)/);
  expect(draft.value).toBeNull();
  draft.keep('typed');
  draft.keep('typed more');
  navigate('/m/policy/privacy');
  navigate('/m/register', { replace: true });
  expect(draft.value).toBe('typed more');
  navigate('/m/home');
  expect(draft.value).toBeNull();
});

test('a draft can be dropped and stored again', () => {
  navigate('/m/register');
  const draft = new Draft<string>(/^\/m\/register/);
  draft.keep('typed');
  draft.drop();
  expect(draft.value).toBeNull();
  draft.keep('again');
  expect(draft.value).toBe('again');
  navigate('/m/home', { replace: true });
  expect(draft.value).toBeNull();
});

test('the public part of a draft survives a reload on its pages', () => {
  const lasting = {
    key: 'testDraft',
    part: ({ name }: { name: string; secret: string }) => ({ name, secret: '' }),
  };
  history.replaceState(null, '', '/m/register');
  new Draft(/^\/m\/register$/, lasting).keep({ name: 'minh', secret: 'Secret123' });
  expect(sessionStorage.getItem('testDraft')).not.toContain('Secret123');
  const reloaded = new Draft(/^\/m\/register$/, lasting);
  expect(reloaded.value).toEqual({ name: 'minh', secret: '' });
  reloaded.drop();
  expect(new Draft(/^\/m\/register$/, lasting).value).toBeNull();
  reloaded.keep({ name: 'minh', secret: '' });
  history.replaceState(null, '', '/m/home');
  expect(new Draft(/^\/m\/register$/, lasting).value).toBeNull();
  expect(sessionStorage.getItem('testDraft')).toBeNull();
});
