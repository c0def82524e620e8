import br from 'circle-flags/flags/br.svg';
import gb from 'circle-flags/flags/gb.svg';
import pk from 'circle-flags/flags/pk.svg';
import vn from 'circle-flags/flags/vn.svg';

import type { Language } from './languages.ts';

export const flags: Record<Language, string> = { vi: vn, en: gb, ur: pk, pt: br };
