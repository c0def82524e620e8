import userEvent from '@testing-library/user-event';

/** Replaces the value of a field in one step. Typing key by key would render the form each time. */
export async function enter(
  input: HTMLInputElement | HTMLTextAreaElement,
  text: string,
): Promise<void> {
  if (input.value === '') await userEvent.click(input);
  else await userEvent.clear(input);
  await userEvent.paste(text);
}
