import type { Page } from '@playwright/test';

import { newMember } from '../support/member.ts';
import { Desk } from '../support/operator.ts';
import { Server } from '../support/server.ts';
import { expect, storageItems, test } from '../support/test.ts';

const write = async (page: Page, text: string) => {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.keyboard.press('Enter');
};

/** Returns the texts of a chat without its times, events and marks. */
const texts = (page: Page) =>
  page.getByRole('list', { name: 'Messages' }).locator('p[dir="auto"]').allInnerTexts();

test('RO-02 part: a player and an operator chat across a restart of the server without loss', async ({
  browser,
}) => {
  const server = await Server.start();
  try {
    const context = await browser.newContext({ baseURL: server.origin });
    const session = await newMember(server, context.request);
    await context.addInitScript(
      (items) => {
        if (window.origin === 'null') return;
        for (const [key, value] of items) localStorage.setItem(key, value);
      },
      storageItems({ language: 'en', session }),
    );
    const player = await context.newPage();
    await player.goto('/m/chat');
    await write(player, 'one');

    const operator = await server.createOperator('thuha', 'support');
    const desk = await Desk.open(browser, server, operator, '/console/chats');
    await desk.page.getByRole('link', { name: session.userName }).click();
    await desk.act('Claim');
    await expect(desk.page.getByText('one', { exact: true }).last()).toBeVisible();
    await write(desk.page, 'two');
    await expect(player.getByText('two', { exact: true })).toBeVisible();

    await server.restart(async () => {
      await write(player, 'three');
      await expect(player.getByRole('button', { name: /Not sent/ })).toBeVisible();
      await write(desk.page, 'four');
      await expect(desk.page.getByRole('alert').first()).toBeVisible();
    });
    // The player's message is sent again by itself, and the operator sends the kept text again.
    await expect.poll(() => texts(desk.page)).toEqual(['one', 'two', 'three']);
    await desk.page.getByRole('button', { name: 'Send', exact: true }).click();
    const all = ['one', 'two', 'three', 'four'];
    await expect.poll(() => texts(player)).toEqual(all);
    await expect.poll(() => texts(desk.page)).toEqual(all);
    await Promise.all([context.close(), desk.close()]);
  } finally {
    await server.stop();
  }
});
