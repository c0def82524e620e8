import { expect } from '@playwright/test';

import { App } from './app.ts';

const messages = [
  {
    id: '2',
    channel: 'email',
    to: 'minh.anh@example.com',
    subject: 'Fairground',
    text: 'Mã của bạn là 481920. Mã có hiệu lực trong 5 phút.',
    kind: 'reset_code',
    state: 'local',
    createdAt: 1_773_480_413_000,
  },
  {
    id: '1',
    channel: 'sms',
    to: '+84912345678',
    subject: '',
    text: 'Fairground: your code is 123456. It is good for 5 minutes.',
    kind: 'login_code',
    state: 'local',
    createdAt: 1_773_480_313_000,
  },
];

export class Outbox extends App {
  async fill(): Promise<void> {
    await this.page.route('**/wps/dev/outbox', (route) =>
      route.fulfill({ json: { success: true, value: messages } }),
    );
    await expect(this.main.getByRole('listitem')).toHaveCount(messages.length);
  }
}
