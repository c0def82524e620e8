// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let sent: unknown[];
let answer: () => Promise<Response>;
let asked: string[];

beforeEach(() => {
  sent = [];
  asked = [];
  const parent = { postMessage: (message: unknown) => sent.push(message) };
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  vi.stubGlobal('fetch', (path: string, { body }: { body: string }) => {
    asked.push(`${path} ${body}`);
    return answer();
  });
  history.replaceState(null, '', '/m/house/?t=ticket-1#theme=dark&lang=en');
  document.body.innerHTML = '<main id="game"></main>';
  vi.resetModules();
});

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const said = () => document.querySelector('[role=alert]')?.textContent ?? '';
const buttons = () => [...document.querySelectorAll('button')].map((one) => one.textContent);

test('GL-03 (House page) a game whose server does not answer tells the app so, and is opened with the same ticket when it is tried again', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  await import('./main.ts');
  await expect.poll(() => sent).toEqual([{ fairground: 1, type: 'failed' }]);
  expect(said()).toContain('There was no answer. Nothing was staked.');
  expect(buttons()).toEqual(['Try again', 'Leave']);
  document.querySelector('button')!.click();
  await expect.poll(() => sent).toHaveLength(2);
  expect(asked).toEqual(Array.from({ length: 2 }, () => '/house/v1/session {"ticket":"ticket-1"}'));
});

test('GL-03 (House page) a ticket that was used or has run out tells the app so, and is not tried again', async () => {
  const body = { success: false, errorCode: 'house.session_expired' };
  answer = () => Promise.resolve(Response.json(body, { status: 401 }));
  await import('./main.ts');
  await expect.poll(() => sent).toEqual([{ fairground: 1, type: 'expired' }]);
  expect(said()).toContain('Go back and open the game again.');
  expect(buttons()).toEqual(['Leave']);
  document.querySelector('button')!.click();
  expect(sent.at(-1)).toEqual({ fairground: 1, type: 'close' });
});
