import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import { renderUi } from '../../lib/testing/render.tsx';
import { say } from '../../lib/testing/widget.ts';
import type { Widget } from '../../lib/widget/messages.ts';
import { useHumanCheck } from './HumanCheckSheet.tsx';
import { WidgetFrame } from './WidgetFrame.tsx';

const geetest: Widget = { kind: 'geetest', script: 'https://c.example/gt4.js', id: 'id-1' };
const recaptcha: Widget = { kind: 'recaptcha', script: 'https://r.example/api.js', id: 'key-1' };

afterEach(() => vi.useRealTimers());

const frame = () => screen.getByTitle<HTMLIFrameElement>('Quick check');

function show(widget: Widget) {
  const onPass = vi.fn();
  renderUi(<WidgetFrame widget={widget} onPass={onPass} />);
  const post = vi.spyOn(frame().contentWindow!, 'postMessage');
  return { onPass, post };
}

test.each([
  [geetest, '*'],
  [recaptcha, location.origin],
])('sends the widget when the frame listens, and accepts its proof', (widget, to) => {
  const { onPass, post } = show(widget);
  expect(frame().getAttribute('src')).toBe('/m/frame/widget.html');
  expect(post).not.toHaveBeenCalled();
  say({ news: 'listening' });
  expect(post).toHaveBeenCalledWith({ ...widget, language: 'en' }, to);
  say({ news: 'shown' });
  expect(frame().className).not.toContain('loading');
  say({ news: 'passed', proof: 'proof-1' });
  expect(onPass).toHaveBeenCalledExactlyOnceWith('proof-1');
});

test('ignores messages from other senders or in another format', () => {
  const { onPass } = show(geetest);
  say({ news: 'passed', proof: 'p' }, { source: window });
  say({ news: 'passed', proof: 'p' }, { source: null });
  say({ news: 'passed', proof: 'p' }, { origin: location.origin });
  say({ news: 'passed', proof: 'p' }, { origin: 'https://c.example' });
  say({ news: 'passed', proof: { lot_number: 'p' } });
  expect(onPass).not.toHaveBeenCalled();
});

test('a timeout or failure can be retried', async () => {
  vi.useFakeTimers();
  show(geetest);
  act(() => void vi.advanceTimersByTime(20_000));
  expect(screen.queryByTitle('Quick check')).toBeNull();
  vi.useRealTimers();
  await userEvent.click(screen.getByRole('button', { name: /try again|retry|load/i }));
  expect(frame()).toBeVisible();
  say({ news: 'failed' });
  expect(screen.queryByTitle('Quick check')).toBeNull();
});

test('closing the sheet resolves to null', async () => {
  const answers: (string | null)[] = [];
  function Form() {
    const { check, sheet } = useHumanCheck();
    return (
      <>
        <button
          type="button"
          onClick={() => void check(recaptcha).then((got) => answers.push(got))}
        >
          Ask
        </button>
        {sheet}
      </>
    );
  }
  renderUi(<Form />);
  await userEvent.click(screen.getByRole('button', { name: 'Ask' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Close' }));
  await expect.poll(() => answers).toEqual([null]);
});
