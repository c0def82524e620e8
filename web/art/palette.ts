/**
 * The colours of the art. A family has a deep edge, a body, a glow behind the motif and a second light from the side.
 */
export interface Tone {
  deep: string;
  body: string;
  glow: string;
  side: string;
}

const FAMILIES: Record<string, Tone> = {
  // slots
  crimson: { deep: '#38040f', body: '#c4163a', glow: '#ffb13d', side: '#ff5a7a' },
  ember: { deep: '#3d1002', body: '#d2560f', glow: '#ffd75e', side: '#ff8a4a' },
  gold: { deep: '#402203', body: '#c98708', glow: '#fff09a', side: '#ffb347' },
  forest: { deep: '#03281a', body: '#12804a', glow: '#c8ff7a', side: '#4ee6a0' },
  jade: { deep: '#02302e', body: '#0b9078', glow: '#a8ffd0', side: '#5ce0ff' },
  teal: { deep: '#022c3a', body: '#0a87a0', glow: '#8dfff0', side: '#4ab8ff' },
  azure: { deep: '#061f5c', body: '#1a67e2', glow: '#8fe4ff', side: '#7a8cff' },
  ice: { deep: '#0e3566', body: '#3e97dd', glow: '#f0fcff', side: '#a9c8ff' },
  indigo: { deep: '#120c4e', body: '#4a3be0', glow: '#ff9df0', side: '#5cc4ff' },
  violet: { deep: '#230a5c', body: '#7a2ee6', glow: '#ff9ae4', side: '#6a8cff' },
  plum: { deep: '#34063f', body: '#a2268c', glow: '#ffb98a', side: '#9a5cff' },
  rose: { deep: '#45062e', body: '#dd3277', glow: '#ffd0a8', side: '#ff7ad0' },
  sunset: { deep: '#36093f', body: '#d4475a', glow: '#ffd27a', side: '#a04cff' },
  midnight: { deep: '#060c2c', body: '#23358f', glow: '#ffd98a', side: '#5ca0ff' },
  // fishing
  deep: { deep: '#020f3e', body: '#0660c4', glow: '#62e6ff', side: '#4c7aff' },
  lagoon: { deep: '#012c40', body: '#0690a4', glow: '#9affe0', side: '#48c0ff' },
  abyss: { deep: '#0a0636', body: '#3a34b8', glow: '#7ab8ff', side: '#b45cff' },
  coral: { deep: '#0b1e58', body: '#1f86c8', glow: '#ffc29a', side: '#ff6f9a' },
  swamp: { deep: '#062a22', body: '#1d7f5e', glow: '#d6ff8a', side: '#40d0c0' },
  // live tables
  velvet: { deep: '#2c0212', body: '#9c1238', glow: '#ffb08a', side: '#ff5a86' },
  emerald: { deep: '#01241a', body: '#0b7a52', glow: '#b8ffc8', side: '#5ae0ff' },
  noir: { deep: '#0c0a16', body: '#463a66', glow: '#f8d28a', side: '#8a7ad8' },
  royal: { deep: '#0d0c48', body: '#3436b4', glow: '#ffd08a', side: '#8a6cff' },
  amber: { deep: '#331402', body: '#9c4d10', glow: '#ffe08a', side: '#ff9a5a' },
  // player against player
  cobalt: { deep: '#0b1250', body: '#3450e0', glow: '#a8c8ff', side: '#8a70ff' },
  scarlet: { deep: '#360711', body: '#b81f33', glow: '#ffc08a', side: '#ff6a6a' },
  ocean: { deep: '#02283a', body: '#0b7c98', glow: '#8ff4ff', side: '#5a9cff' },
  jadepvp: { deep: '#03281d', body: '#127a50', glow: '#d0ffb0', side: '#50e0b0' },
  violetpvp: { deep: '#210b50', body: '#6c34cc', glow: '#ffb8f0', side: '#6aa0ff' },
  // lotteries
  crimsonball: { deep: '#44040e', body: '#d4222e', glow: '#ffdc6a', side: '#ff7a5a' },
  sapphire: { deep: '#081a58', body: '#2658e2', glow: '#ffe08a', side: '#6ac8ff' },
  amethyst: { deep: '#320d58', body: '#8638d8', glow: '#ffdc8a', side: '#ff7ae0' },
  emeraldball: { deep: '#02301f', body: '#0e8f5a', glow: '#fff08a', side: '#6affc8' },
  tangerine: { deep: '#451502', body: '#e0620a', glow: '#fff0a0', side: '#ff8a8a' },
  lagoonball: { deep: '#022e44', body: '#0a8cb4', glow: '#fff2a0', side: '#7affe6' },
  // sports
  pitch: { deep: '#032814', body: '#109048', glow: '#d8ff8a', side: '#8affd0' },
  turf: { deep: '#0a2c10', body: '#4a9a1c', glow: '#f6ffa0', side: '#8aff9a' },
  skyblue: { deep: '#05265a', body: '#1478dc', glow: '#a8ecff', side: '#ffd08a' },
  clay: { deep: '#401204', body: '#cf5512', glow: '#ffdc90', side: '#ff8a6a' },
  glacier: { deep: '#0a2f5c', body: '#3a8fd6', glow: '#f2fcff', side: '#a8b8ff' },
  // esports
  neon: { deep: '#0a0530', body: '#4a1fd2', glow: '#3cf0ff', side: '#ff4ad0' },
  magenta: { deep: '#22032e', body: '#a017ba', glow: '#ff7ac0', side: '#5c8cff' },
  cyan: { deep: '#03202f', body: '#0a74ac', glow: '#6affd8', side: '#7a6cff' },
  toxic: { deep: '#0c2410', body: '#2a8a34', glow: '#d4ff5a', side: '#3cf0ff' },
};

export const familyNames: readonly string[] = Object.keys(FAMILIES);

interface Hsl {
  hue: number;
  saturation: number;
  light: number;
}

function toHsl(hex: string): Hsl {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(
    (at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255,
  );
  const max = Math.max(r, g, b);
  const min = Math.min(r, g, b);
  const chroma = max - min;
  const light = (max + min) / 2;
  if (chroma === 0) return { hue: 0, saturation: 0, light };
  const saturation = chroma / (1 - Math.abs(2 * light - 1));
  const sector =
    max === r ? (g - b) / chroma : max === g ? 2 + (b - r) / chroma : 4 + (r - g) / chroma;
  return { hue: (sector * 60 + 360) % 360, saturation, light };
}

function toHex({ hue, saturation, light }: Hsl): string {
  const spread = saturation * Math.min(light, 1 - light);
  const channel = (offset: number): string => {
    const k = (offset + hue / 30) % 12;
    const value = light - spread * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(Math.max(0, Math.min(1, value)) * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

/** Rotates a colour's hue and scales its lightness. */
function adjust(hex: string, degrees: number, lightness = 1): string {
  const { hue, saturation, light } = toHsl(hex);
  return toHex({
    hue: (hue + degrees + 360) % 360,
    saturation,
    light: Math.min(1, light * lightness),
  });
}

/** Returns a family with its hue rotated, so that tiles of one family differ. */
export function tone(family: string, degrees = 0): Tone {
  const found = FAMILIES[family];
  if (!found) throw new Error(`unknown colour family ${family}`);
  return {
    deep: adjust(found.deep, degrees),
    body: adjust(found.body, degrees),
    glow: adjust(found.glow, degrees / 2),
    side: adjust(found.side, degrees),
  };
}
