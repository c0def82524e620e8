import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** What a value of a field looks like by the standard rules, where its refusal alone would not help. */
export const shapes: Readonly<Record<string, MessageDescriptor>> = {
  payeeName: msg`Without accents, for example NGUYEN VAN AN`,
  zalo: msg`A phone number of 6–20 digits`,
  whatsapp: msg`A phone number of 6–20 digits`,
  line: msg`4–20 letters, digits, dots, - or _`,
  wechat: msg`A letter first, 6–20 letters, digits, - or _`,
  facebook: msg`The profile name: 5–50 letters, digits or dots`,
  qqNum: msg`5–12 digits`,
};

/** A merchant's own pattern may ask for something else, of which no words tell. */
export const isStandard = (rules: readonly { pattern?: string }[]): boolean =>
  rules.filter(({ pattern }) => pattern).length < 2;
