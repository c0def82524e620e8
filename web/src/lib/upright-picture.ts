/** The maximum length of the longer side, in pixels. The server scales larger pictures down. */
const longestSide = 2000;

/**
 * Rotates a photo upright and scales it to the server's maximum, because the server removes the EXIF orientation.
 * Returns the file itself if the browser cannot draw it.
 */
export async function uprightPicture(file: File): Promise<File> {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    const context = canvas.getContext('2d');
    if (!context) return file;
    // JPEG has no transparency.
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const drawn = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/jpeg', 0.9);
    });
    return drawn ? new File([drawn], file.name, { type: drawn.type }) : file;
  } catch {
    return file;
  }
}
