// The sizes of a tile's pictures, shared by the art generator and the app.

const tileWidth = 360;

/** Enough for screens with two device pixels per CSS pixel, and for small places. */
export const smallTileWidth = 240;

export const smallTile = (file: string): string => file.replace(/webp$/, 'small.webp');

/** The `srcset` of a tile. Pictures from other servers and the default tile have one size. */
export const tileSet = (art: string): string | undefined =>
  art.startsWith('/m/art/tiles/') && !art.endsWith('/default.webp')
    ? `${smallTile(art)} ${smallTileWidth}w, ${art} ${tileWidth}w`
    : undefined;
