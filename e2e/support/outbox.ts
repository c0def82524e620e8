import { expect } from './test.ts';

type Message = { to: string; text: string };

/** Waits for the newest code that a demo server sent to a number or an address. */
export async function codeFor(origin: string, to: string): Promise<string> {
  let code = '';
  await expect
    .poll(async () => {
      const response = await fetch(`${origin}/wps/dev/outbox`);
      const { value } = (await response.json()) as { value: Message[] };
      const message = value.find((item) => item.to.endsWith(to));
      code = /\d{6}/.exec(message?.text ?? '')?.[0] ?? '';
      return code;
    })
    .toMatch(/^\d{6}$/);
  return code;
}
