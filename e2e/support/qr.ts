import { join } from 'node:path';

import type { Browser, Locator } from '@playwright/test';

const reader = join(import.meta.dirname, '../../web/node_modules/jsqr/dist/jsQR.js');

/** Reads a QR code from a picture of an element, with a reader that the app does not use. */
export async function readQr(browser: Browser, element: Locator): Promise<string> {
  const picture = await element.screenshot();
  // The app's content security policy refuses other scripts, so the reader runs in a blank page.
  const page = await browser.newPage();
  try {
    await page.addScriptTag({ path: reader });
    return await page.evaluate(
      async (url) => {
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = image.width * 2;
        canvas.height = image.height * 2;
        const context = canvas.getContext('2d')!;
        context.imageSmoothingEnabled = false;
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
        type Reader = (
          data: Uint8ClampedArray,
          width: number,
          height: number,
        ) => { data: string } | null;
        return (globalThis as unknown as { jsQR: Reader }).jsQR(data, width, height)?.data ?? '';
      },
      `data:image/png;base64,${picture.toString('base64')}`,
    );
  } finally {
    await page.close();
  }
}

/** Reads the fields of an EMV code: each has an id and a length of two digits, then its value. */
export function emvFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (let offset = 0; offset + 4 <= text.length;) {
    const length = Number(text.slice(offset + 2, offset + 4));
    fields.set(text.slice(offset, offset + 2), text.slice(offset + 4, offset + 4 + length));
    offset += 4 + length;
  }
  return fields;
}
