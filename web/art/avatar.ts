/** Avatars that members can choose (160 pixels). The server has the same list. */
import { readFileSync } from 'node:fs';

import type { Picture } from './picture.ts';
import { emoji, radial, svg } from './svg.ts';

const LIST = new URL('../../internal/identity/account/avatars.json', import.meta.url);

interface Avatar {
  id: string;
  emoji: string;
  light: string;
}

function avatar(choice: Avatar): string {
  const ground = radial('ground', [0.5, 0.32], 0.75, [
    [0, choice.light],
    [0.55, '#5a3fa8'],
    [1, '#2a1b57'],
  ]);
  return svg(
    160,
    160,
    `<defs>${ground}</defs><rect width="160" height="160" fill="url(#ground)"/><ellipse cx="80" cy="140" rx="46" ry="8" fill="#000" opacity=".2"/>${emoji(choice.emoji, 80, 84, 116)}`,
  );
}

export const avatarPictures = (): Picture[] =>
  (JSON.parse(readFileSync(LIST, 'utf8')) as Avatar[]).map((choice) => ({
    file: `art/avatars/${choice.id}.webp`,
    svg: avatar(choice),
  }));
