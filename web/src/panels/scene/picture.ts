/** Makes pictures of the view and hands them to the browser as files. */

/** How long a browser may take to read a picture that it saves. */
const READ_MS = 10_000;

/** Reads what is drawn on a canvas, as PNG; it must have been drawn in the same turn. */
export function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) {
        reject(new Error('The browser cannot write the picture'));
      } else {
        resolve(blob);
      }
    }, 'image/png');
  });
}

/** Saves a picture under the name of the world; nothing when there is no view. */
export function savePicture(picture: Blob | undefined, worldName: string): void {
  if (picture === undefined) {
    return;
  }
  const url = URL.createObjectURL(picture);
  const link = document.createElement('a');
  link.href = url;
  link.download = pictureName(worldName, new Date());
  link.click();
  // Browsers begin to read it in their own time.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, READ_MS);
}

/** Returns a file name that sorts by time and that every system takes. */
export function pictureName(worldName: string, at: Date): string {
  const world = worldName.replaceAll(/[^\p{L}\p{N}_-]+/gu, '_') || 'world';
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${world}_${day}_${two(at.getHours())}-${two(at.getMinutes())}-${two(at.getSeconds())}.png`;
}
