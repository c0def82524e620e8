import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The expected format of a field under the standard rules. */
export const formatHints: Readonly<Record<string, MessageDescriptor>> = {
  payeeName: msg`Without accents, for example NGUYEN VAN AN`,
  zalo: msg`A phone number of 6–20 digits`,
  whatsapp: msg`A phone number of 6–20 digits`,
  line: msg`4–20 letters, digits, dots, - or _`,
  wechat: msg`A letter first, 6–20 letters, digits, - or _`,
  facebook: msg`The profile name: 5–50 letters, digits or dots`,
  qqNum: msg`5–12 digits`,
};

/** Reports whether the merchant added no pattern, so the format hint applies. */
export const hasStandardFormat = (rules: readonly { pattern?: string }[]): boolean =>
  rules.filter(({ pattern }) => pattern).length < 2;
