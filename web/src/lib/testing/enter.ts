import userEvent from '@testing-library/user-event';

/** Replaces what a field holds, in one step: a step for each key would draw the whole form as often. */
export async function enter(input: HTMLInputElement, text: string): Promise<void> {
  if (input.value === '') await userEvent.click(input);
  else await userEvent.clear(input);
  await userEvent.paste(text);
}
