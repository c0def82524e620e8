import { drawQr } from '../../ui/display/QrCode.tsx';

const moduleSize = 12;

/** Saves a payment code as a picture. */
export async function saveQr(text: string, reference: string): Promise<void> {
  const { edge, path } = drawQr(text);
  const canvas = document.createElement('canvas');
  canvas.width = edge * moduleSize;
  canvas.height = edge * moduleSize;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(moduleSize, moduleSize);
  context.fillStyle = 'black';
  const modules = new Path2D(path);
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array
  context.fill(modules);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('no picture');
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = `${reference}.png`;
  link.click();
  URL.revokeObjectURL(address);
}
