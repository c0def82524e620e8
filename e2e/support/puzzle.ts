import { expect, type Page } from '@playwright/test';

/** Solves the slider puzzle: finds where the background matches the piece, whatever the brightness. */
export async function solvePuzzle(page: Page): Promise<void> {
  const thumb = page.getByRole('slider');
  await expect(thumb).toBeVisible();
  const x = await page.getByRole('dialog').locator('img').evaluateAll(findOffset);
  await thumb.focus();
  for (let presses = 0; presses < Math.round(x / 4); presses += 1)
    await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
}

/** Returns where the second image fits into the first, in pixels of the first. Runs in the page. */
async function findOffset(images: Element[]): Promise<number> {
  const [background, piece] = images as HTMLImageElement[];
  if (!background || !piece) throw new Error('no puzzle');
  await Promise.all([background.decode(), piece.decode()]);
  const read = ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement, from: number) => {
    const canvas = new OffscreenCanvas(width, height).getContext('2d')!;
    canvas.drawImage(from === 0 ? background : piece, 0, 0);
    return canvas.getImageData(0, 0, width, height);
  };
  const picture = read(background, 0);
  const fragment = read(piece, 1);
  const top = Math.round((Number.parseFloat(piece.style.insetBlockStart) / 100) * picture.height);
  const light = ({ data }: ImageData, index: number) =>
    (data[index * 4] ?? 0) + (data[index * 4 + 1] ?? 0) + (data[index * 4 + 2] ?? 0);

  const opaquePixels: { column: number; row: number; light: number }[] = [];
  for (let row = 2; row < fragment.height - 2; row += 1) {
    for (let column = 2; column < fragment.width - 2; column += 1) {
      const index = row * fragment.width + column;
      if (fragment.data[index * 4 + 3] === 255)
        opaquePixels.push({ column, row, light: light(fragment, index) });
    }
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const pieceMean = mean(opaquePixels.map((pixel) => pixel.light));

  function correlation(x: number): number {
    const backgroundLight = opaquePixels.map(({ column, row }) =>
      light(picture, (top + row) * picture.width + x + column),
    );
    const backgroundMean = mean(backgroundLight);
    let covariance = 0;
    let pieceVariance = 0;
    let backgroundVariance = 0;
    for (const [index, pixel] of opaquePixels.entries()) {
      const a = pixel.light - pieceMean;
      const b = (backgroundLight[index] ?? 0) - backgroundMean;
      covariance += a * b;
      pieceVariance += a * a;
      backgroundVariance += b * b;
    }
    return covariance / Math.sqrt(pieceVariance * backgroundVariance || 1);
  }
  let best = 0;
  let highest = -1;
  for (let x = 0; x <= picture.width - fragment.width; x += 1) {
    const similarity = correlation(x);
    if (similarity > highest) [best, highest] = [x, similarity];
  }
  return best;
}
