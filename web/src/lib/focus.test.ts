// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';

import { focusField } from './focus.ts';

test('a focused field is scrolled to the middle of the screen', () => {
  document.body.innerHTML = '<form><input name="first" /><input name="second" /></form>';
  const form = document.querySelector('form');
  const moved = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue();
  focusField(form, 'second');
  const second = document.querySelector('[name=second]');
  expect(document.activeElement).toBe(second);
  expect(moved.mock.instances).toEqual([second]);
  expect(moved).toHaveBeenCalledWith({ block: 'center' });
  focusField(form, 'third');
  expect(document.activeElement).toBe(second);
  expect(moved).toHaveBeenCalledTimes(1);
});
