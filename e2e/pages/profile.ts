import { expect, type Locator } from '@playwright/test';

import { App } from './app.ts';

export class Profile extends App {
  field(name: string): Locator {
    return this.main.locator(`input[name="${name}"]`);
  }

  get save(): Locator {
    return this.main.getByRole('button', { name: this.text('Save'), exact: true });
  }

  get picture(): Locator {
    return this.main.locator('section img').first();
  }

  get changePicture(): Locator {
    return this.main.getByRole('button', { name: this.text('Change picture'), exact: true });
  }

  get sheet(): Locator {
    return this.page.getByRole('dialog', { name: this.text('Your picture'), exact: true });
  }

  preset(number: number): Locator {
    const name = this.text('Picture {0}').replace('{0}', String(number));
    return this.sheet.getByRole('button', { name, exact: true });
  }

  get file(): Locator {
    return this.sheet.locator('input[type=file]');
  }

  get cropArea(): Locator {
    return this.sheet.getByRole('application');
  }

  get usePicture(): Locator {
    return this.sheet.getByRole('button', { name: this.text('Use this picture'), exact: true });
  }

  /** Uploads a picture whose left half is red and right half is blue. */
  async uploadPhoto(): Promise<void> {
    const buffer = await this.photo();
    await this.file.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer });
    await expect(this.usePicture).toBeEnabled();
  }

  async photo(): Promise<Buffer> {
    const dataUrl = await this.page.evaluate(() => {
      const canvas = document.createElement('canvas');
      canvas.width = 600;
      canvas.height = 300;
      const context = canvas.getContext('2d')!;
      context.fillStyle = 'red';
      context.fillRect(0, 0, 300, 300);
      context.fillStyle = 'blue';
      context.fillRect(300, 0, 300, 300);
      return canvas.toDataURL('image/png');
    });
    return Buffer.from(dataUrl.split(',')[1] ?? '', 'base64');
  }
}
