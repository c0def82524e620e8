import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';

import { renderUi } from '../../lib/testing/render.tsx';
import { advanceTime } from '../../lib/testing/time.ts';
import { ToastViewport } from '../Toast.tsx';
import { toast, useToastStore } from '../toastStore.ts';
import { CaptchaField } from './CaptchaField.tsx';
import { Checkbox } from './Checkbox.tsx';
import { CodeField } from './CodeField.tsx';
import type { SentCode } from './countdown.ts';
import { PasswordField } from './PasswordField.tsx';
import { adviceOf, strengthOf } from './strength.ts';

afterEach(() => vi.useRealTimers());

test('a checkbox is checked by its label and described by its error', async () => {
  const onChange = vi.fn();
  renderUi(
    <Checkbox checked={false} onChange={onChange} errors={['Please agree']}>
      I agree
    </Checkbox>,
  );
  await userEvent.click(screen.getByText('I agree'));
  expect(onChange).toHaveBeenLastCalledWith(true);
  const box = screen.getByRole('checkbox');
  expect(box.getAttribute('aria-describedby')).toBe(screen.getByText('Please agree').id);
});

test.each([
  ['', 0],
  ['Demo123', 1],
  ['abcdefgh', 1],
  ['aaaaaa11', 1],
  ['demo1234', 2],
  ['Demo1234', 3],
  ['demo12345678', 3],
  ['Demo1234!xyz', 4],
])('the strength of %j is %i', (password, level) => {
  expect(strengthOf(password)).toBe(level);
});

test.each([
  ['', null],
  ['abcdefgh', 'mixed'],
  ['aaaa1', 'longer'],
  ['aaaaaa11', 'varied'],
  ['Demo1234', 'longer'],
  ['demo12345678', 'mixed'],
  ['Demo1234!xyz', null],
])('the advice for %j is %s', (password, advice) => {
  expect(adviceOf(password)).toBe(advice);
});

test('there is advice exactly for passwords that are not strong', () => {
  const signs = ['a', 'b', 'B', '7', '!', 'đ'];
  for (let n = 0; n < 4000; n += 1) {
    let rest = n;
    const password = Array.from({ length: n % 17 }, (_, at) => {
      rest = (rest * 31 + at + 7) % 1009;
      return signs[rest % signs.length];
    }).join('');
    const strong = strengthOf(password) === 4 || password === '';
    expect([password, adviceOf(password) === null]).toEqual([password, strong]);
  }
});

test('a password shows its strength and can be revealed', async () => {
  const { container, rerender } = renderUi(
    <PasswordField label="Password" strength value="Demo1234" onChange={() => {}} />,
  );
  expect(screen.getByRole('status').textContent).toBe(
    'Strength: good12 or more characters are harder to guess',
  );
  expect(container.querySelectorAll('.filled')).toHaveLength(3);
  const input = screen.getByLabelText<HTMLInputElement>('Password');
  expect(input.type).toBe('password');
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(input.type).toBe('text');
  rerender(<PasswordField label="Password" strength value="" onChange={() => {}} />);
  expect(screen.queryByRole('status')).toBeNull();
});

test('pressing the captcha picture loads another one', async () => {
  const load = vi
    .fn<() => Promise<string>>()
    .mockResolvedValueOnce('data:1')
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValue('data:3');
  const onRenew = vi.fn();
  const { container, rerender } = renderUi(<CaptchaField load={load} onRenew={onRenew} />);
  const src = () => container.querySelector('img')?.getAttribute('src');
  await expect.poll(src).toBe('data:1');
  await userEvent.click(screen.getByRole('button', { name: 'Another picture' }));
  expect(onRenew).toHaveBeenCalledTimes(1);
  await userEvent.click(await screen.findByRole('button', { name: 'Load the picture again' }));
  await expect.poll(src).toBe('data:3');
  rerender(<CaptchaField load={load} round={1} />);
  await expect.poll(() => load.mock.calls.length).toBe(4);
});

function Code({
  send,
  canSend = true,
  demo = false,
}: {
  send: () => Promise<SentCode | null>;
  canSend?: boolean;
  demo?: boolean;
}) {
  const [value, setValue] = useState('');
  return (
    <CodeField
      target={`register/${send.name}`}
      canSend={canSend}
      send={send}
      demo={demo}
      value={value}
      onChange={(event) => setValue(event.target.value)}
    />
  );
}

const link = () => screen.getByRole<HTMLButtonElement>('button');

async function press(): Promise<void> {
  await act(async () => link().click());
}

test('ST-03 own path: counts 60 s for each minute, disables the link, and continues on other screens', async () => {
  vi.useFakeTimers();
  const byMinutes = async () => ({ expiredMinutes: 2 });
  const { unmount } = renderUi(<Code send={byMinutes} />);
  await press();
  expect(link().textContent).toBe('Again in 2:00');
  expect(link().disabled).toBe(true);
  advanceTime(30_500);
  expect(link().textContent).toBe('Again in 1:30');
  unmount();
  vi.advanceTimersByTime(60_000);
  renderUi(<Code send={byMinutes} />);
  expect(link().textContent).toBe('Again in 0:30');
  advanceTime(29_500);
  expect(link().textContent).toBe('Send code');
  expect(link().disabled).toBe(false);
});

test('ST-03 own path: counts down to the server’s time in ticks of 500 ms', async () => {
  vi.useFakeTimers();
  const byTime = async () => ({ expiredMinutes: 5, expirationTime: Date.now() + 40_250 });
  renderUi(<Code send={byTime} />);
  await press();
  expect(link().textContent).toBe('Again in 0:41');
  advanceTime(500);
  expect(link().textContent).toBe('Again in 0:40');
  advanceTime(40_000);
  expect(link().disabled).toBe(false);
});

test.each([
  ['a day ahead, with the server’s time', 1, true, '0:40'],
  ['a day behind, with the server’s time', -1, true, '0:40'],
  ['a day ahead, without the server’s time', 1, false, '5:00'],
  ['a day behind, without the server’s time', -1, false, '5:00'],
])(
  'ST-03 own path: the wait is correct with a device clock %s',
  async (clock, days, hasServerTime, left) => {
    vi.useFakeTimers();
    const server = Date.now() - days * 86_400_000;
    const sending = {
      expiredMinutes: 5,
      expirationTime: server + 40_000,
      ...(hasServerTime && { answeredAt: server }),
    };
    renderUi(<Code send={Object.defineProperty(async () => sending, 'name', { value: clock })} />);
    await press();
    expect(link().textContent).toBe(`Again in ${left}`);
    expect(link().disabled).toBe(true);
  },
);

test('VA-03 piece: an invalid target cannot receive a code, and a failure starts no wait', async () => {
  const failing = vi.fn(async () => null);
  const { rerender } = renderUi(<Code send={failing} canSend={false} />);
  expect(link().disabled).toBe(true);
  rerender(<Code send={failing} />);
  await press();
  expect(failing).toHaveBeenCalledTimes(1);
  expect(link().disabled).toBe(false);
});

test('ER-04, ER-05 in part: sending a code: shows a loading toast, then a success toast; a failure hides it', async () => {
  let answer: (sending: SentCode | null) => void = () => {};
  const send = () => new Promise<SentCode | null>((resolve) => (answer = resolve));
  renderUi(
    <>
      <Code send={send} />
      <ToastViewport />
    </>,
  );
  await press();
  expect(await screen.findByText('Sending the code')).toBeVisible();
  await act(async () => answer(null));
  expect(useToastStore.getState().current).toBeNull();
  expect(link().disabled).toBe(false);
  await press();
  await act(async () => answer({ expiredMinutes: 1 }));
  expect(await screen.findByText('The code is on its way')).toBeVisible();
  act(() => toast.hide());
});

test('a demo links to its outbox', () => {
  const { rerender } = renderUi(<Code send={async () => null} demo />);
  expect(screen.getByRole('link', { name: '/dev/outbox' }).getAttribute('href')).toBe(
    '/dev/outbox',
  );
  rerender(<Code send={async () => null} />);
  expect(screen.queryByRole('link')).toBeNull();
});
