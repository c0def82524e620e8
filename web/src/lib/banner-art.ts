// The sizes of a banner's pictures, shared by the art generator, the inline script and the app.

export const bannerFolder = '/m/art/banners/';

/** Enough for screens with two device pixels per CSS pixel. */
export const smallBannerWidth = 720;

export const smallBanner = (file: string): string => file.replace(/webp$/, 'small.webp');

/** The `srcset` of a banner. `*` is a placeholder for the file's name without its extension. */
export const bannerChoice = `*.small.webp ${smallBannerWidth}w, *.webp 1080w`;

/** The `sizes` of a banner, known before layout. */
export const bannerSizes = 'min(100vw - 32px, 448px)';

/** Returns the sizes of a picture. Pictures from other servers have one size. */
export const bannerSet = (image: string): string | undefined =>
  image.startsWith(bannerFolder)
    ? bannerChoice.replaceAll('*', image.replace(/\.webp$/, ''))
    : undefined;
