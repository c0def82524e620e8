/** A picture as SVG text, and the files that it is painted to. */
export interface Picture {
  /** Path below web/public. */
  file: string;
  svg: string;
  /** Width in pixels, when the file is smaller than the drawing. */
  width?: number;
  /** Maximum size of the WebP file in bytes. Without a budget, the quality is fixed and high. */
  budget?: number;
  /** A second, smaller file for small places and screens with fewer pixels. */
  small?: { file: string; width: number; budget: number };
}

export const filesOf = ({ file, small }: Picture): string[] =>
  small ? [file, small.file] : [file];
