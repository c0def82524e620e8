/** A square crop of a picture, in pixels. At zoom 1 it is as large as possible. */
export type Square = {
  width: number;
  height: number;
  x: number;
  y: number;
  edge: number;
  zoom: number;
};

export const most = 5;
/** Edge of the uploaded picture. The server reduces it further. */
const sent = 512;
const quality = 0.92;

/** Returns the largest square, centred. */
export function centred(width: number, height: number): Square {
  const edge = Math.min(width, height);
  return { width, height, edge, x: (width - edge) / 2, y: (height - edge) / 2, zoom: 1 };
}

/** Moves a square by fractions of its edge, inside the picture. */
export function moved(square: Square, right: number, down: number): Square {
  return kept({
    ...square,
    x: square.x + right * square.edge,
    y: square.y + down * square.edge,
  });
}

/** Zooms a square around its centre. */
export function zoomed(square: Square, by: number): Square {
  const zoom = between(1, square.zoom * by, most);
  const edge = Math.min(square.width, square.height) / zoom;
  const grown = (edge - square.edge) / 2;
  return kept({ ...square, zoom, edge, x: square.x - grown, y: square.y - grown });
}

function kept(square: Square): Square {
  return {
    ...square,
    x: between(0, square.x, square.width - square.edge),
    y: between(0, square.y, square.height - square.edge),
  };
}

function between(least: number, value: number, largest: number): number {
  return Math.min(Math.max(value, least), largest);
}

/** Returns the square as a picture, or null if the browser cannot create one. */
export function cut(
  image: HTMLImageElement,
  { x, y, edge }: Square,
  transparent: boolean,
): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = sent;
  canvas.height = sent;
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, x, y, edge, edge, 0, 0, sent, sent);
  return new Promise((resolve) => {
    canvas.toBlob(resolve, transparent ? 'image/png' : 'image/jpeg', quality);
  });
}
