import type { Locator } from '@playwright/test';

import { App } from './app.ts';

export class ChangePassword extends App {
  field(name: 'username' | 'oldPassword' | 'newPassword' | 'confirmNewPassword'): Locator {
    return this.main.locator(`input[name="${name}"]`);
  }

  get submit(): Locator {
    return this.main.getByRole('button', { name: this.text('Confirm'), exact: true });
  }

  async write(password: string, again = password): Promise<void> {
    await this.field('newPassword').fill(password);
    await this.field('confirmNewPassword').fill(again);
  }
}
