/** A square within a picture, in its pixels; at zoom 1 it is as large as the picture lets it be. */
export type Square = {
  width: number;
  height: number;
  x: number;
  y: number;
  edge: number;
  zoom: number;
};

/** How close one can come. */
export const most = 5;
/** The edge of what is sent: the server makes it smaller still. */
const sent = 512;
const quality = 0.92;

/** The largest square, in the middle. */
export function centred(width: number, height: number): Square {
  const edge = Math.min(width, height);
  return { width, height, edge, x: (width - edge) / 2, y: (height - edge) / 2, zoom: 1 };
}

/** Moved by parts of its own edge, and never out of the picture. */
export function moved(square: Square, right: number, down: number): Square {
  return kept({
    ...square,
    x: square.x + right * square.edge,
    y: square.y + down * square.edge,
  });
}

/** Closer or further away, around its middle. */
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

/** The square as a picture of its own; null where the browser cannot make one. */
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
