import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { renderUi } from '../../lib/testing/render.tsx';
import { MessageList, type MessageListProps } from './MessageList.tsx';

const list = (texts: string[], props: Partial<MessageListProps> = {}) => (
  <MessageList label="Messages" newest={texts.at(-1) ?? ''} {...props}>
    {texts.map((text) => (
      <li key={text}>{text}</li>
    ))}
  </MessageList>
);

const scroller = () => screen.getByRole('group', { name: 'Messages' });

test('a new message scrolls to the end, and older messages keep the position', () => {
  const { rerender } = renderUi(list(['two', 'three']));
  scroller().scrollTop = -80;
  rerender(list(['one', 'two', 'three']));
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  expect(scroller().scrollTop).toBe(-80);
  rerender(list(['one', 'two', 'three', 'four']));
  expect(scroller().scrollTop).toBe(0);
});

test('the button for older messages is there while there are some, and busy while they load', async () => {
  const onLoad = vi.fn<() => void>();
  const older = { label: 'Earlier messages', onLoad };
  const button = () => screen.getByRole('button', { name: 'Earlier messages' });
  const { rerender } = renderUi(list(['two'], { older: { ...older, isLoading: false } }));
  await userEvent.click(button());
  expect(onLoad).toHaveBeenCalledTimes(1);
  rerender(list(['two'], { older: { ...older, isLoading: true } }));
  expect(button()).toHaveAttribute('aria-busy', 'true');
  await userEvent.click(button());
  expect(onLoad).toHaveBeenCalledTimes(1);
  rerender(list(['one', 'two']));
  expect(screen.queryByRole('button')).toBeNull();
});
