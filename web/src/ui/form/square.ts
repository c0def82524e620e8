/** A square crop of a picture, in pixels. At zoom 1 it is as large as possible. */
export type Square = {
  width: number;
  height: number;
  x: number;
  y: number;
  edge: number;
  zoom: number;
};

export const maxZoom = 5;
/** Edge of the uploaded picture. The server reduces it further. */
const outputPx = 512;
const quality = 0.92;

export function largestSquare(width: number, height: number): Square {
  const edge = Math.min(width, height);
  return { width, height, edge, x: (width - edge) / 2, y: (height - edge) / 2, zoom: 1 };
}

/** Moves a square by fractions of its edge, inside the picture. */
export function moveSquare(square: Square, right: number, down: number): Square {
  return keepInside({
    ...square,
    x: square.x + right * square.edge,
    y: square.y + down * square.edge,
  });
}

export function zoomSquare(square: Square, by: number): Square {
  const zoom = clamp(1, square.zoom * by, maxZoom);
  const edge = Math.min(square.width, square.height) / zoom;
  const growth = (edge - square.edge) / 2;
  return keepInside({ ...square, zoom, edge, x: square.x - growth, y: square.y - growth });
}

function keepInside(square: Square): Square {
  return {
    ...square,
    x: clamp(0, square.x, square.width - square.edge),
    y: clamp(0, square.y, square.height - square.edge),
  };
}

function clamp(min: number, value: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

/** Returns the square as a picture, or null if the browser cannot create one. */
export function cropToBlob(
  image: HTMLImageElement,
  { x, y, edge }: Square,
  transparent: boolean,
): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = outputPx;
  canvas.height = outputPx;
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, x, y, edge, edge, 0, 0, outputPx, outputPx);
  return new Promise((resolve) => {
    canvas.toBlob(resolve, transparent ? 'image/png' : 'image/jpeg', quality);
  });
}
