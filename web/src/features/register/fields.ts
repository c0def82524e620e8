import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ComponentProps } from 'react';

import type {
  DialingCode,
  Method,
  RegisterField,
  RegisterSetting,
} from '../../api/registration.ts';
import type { RuleSet } from '../../lib/validation/rules.ts';
import type { IconName } from '../../ui/icons.ts';

/** The appearance of a field. Its rules come from the server. */
export type FieldDesign = {
  label: MessageDescriptor | string;
  icon?: IconName;
  secret?: boolean;
  input?: ComponentProps<'input'>;
};

const digits = { inputMode: 'numeric' as const };
const noAutocorrect = { autoCapitalize: 'none', spellCheck: false };

/** Names of services are not translated. */
export const fieldDesigns: Readonly<Record<string, FieldDesign>> = {
  username: {
    label: msg`Username`,
    icon: 'user',
    input: { ...noAutocorrect, autoComplete: 'username' },
  },
  password: { label: msg`Password`, secret: true, input: { autoComplete: 'new-password' } },
  confirmPassword: {
    label: msg`Confirm password`,
    secret: true,
    input: { autoComplete: 'new-password' },
  },
  mobileNum: { label: msg`Mobile number` },
  verificationCode: { label: msg`Verification code` },
  captcha: { label: msg`Captcha` },
  paymentPassword: {
    label: msg`Payment password`,
    secret: true,
    input: { ...digits, autoComplete: 'off' },
  },
  nickname: { label: msg`Nickname`, icon: 'user-circle', input: { autoComplete: 'nickname' } },
  payeeName: { label: msg`Real name`, icon: 'user-circle', input: { autoComplete: 'name' } },
  email: {
    label: msg`E-mail`,
    icon: 'envelope-simple',
    input: { ...noAutocorrect, type: 'email', autoComplete: 'email' },
  },
  idNumber: { label: msg`Identity number`, icon: 'shield-check', input: noAutocorrect },
  qqNum: { label: 'QQ', icon: 'chat-circle-dots', input: digits },
  facebook: { label: 'Facebook', icon: 'chat-circle-dots', input: noAutocorrect },
  wechat: { label: 'WeChat', icon: 'chat-circle-dots', input: noAutocorrect },
  line: { label: 'LINE', icon: 'chat-circle-dots', input: noAutocorrect },
  whatsapp: { label: 'WhatsApp', icon: 'chat-circle-dots', input: digits },
  zalo: { label: 'Zalo', icon: 'chat-circle-dots', input: digits },
  recommenderId: { label: msg`Recommender`, icon: 'users-three', input: noAutocorrect },
  affiliateCode: { label: msg`Invitation code`, icon: 'ticket', input: noAutocorrect },
};

/** The methods that this app supports. Verification by Firebase is offered only if the Firebase settings exist. */
export function supportedMethods(setting: RegisterSetting): Method[] {
  const canVerifyMobile = setting.mobileVerification !== 'firebase' || setting.firebase !== null;
  return setting.methods.filter(
    (method): method is Method => method === 'username' || (method === 'mobile' && canVerifyMobile),
  );
}

/** Reports whether Firebase sends and checks the code for the number. */
export const isVerifiedByFirebase = (setting: RegisterSetting, method: Method): boolean =>
  method === 'mobile' && setting.mobileVerification === 'firebase';

/** The fields of a method, in order. `needsCaptcha` adds the captcha field if the form has none, because the next code needs it. */
export function fieldsOf(
  setting: RegisterSetting,
  method: Method,
  needsCaptcha = false,
): RegisterField[] {
  const external = isVerifiedByFirebase(setting, method);
  const shown = setting.fields
    .map((field) =>
      // The visitor types the code here, although this server never sees it.
      external && field.name === 'verificationCode'
        ? { ...field, enabled: true, requiredIn: [method] }
        : field,
    )
    .filter(
      ({ enabled, methods, name }) => enabled && methods.includes(method) && fieldDesigns[name],
    )
    .toSorted((a, b) => a.order - b.order);
  const captcha = setting.fields.find(({ name }) => name === 'captcha');
  if (!needsCaptcha || !captcha || shown.some(({ name }) => name === 'captcha')) return shown;
  return [...shown, { ...captcha, requiredIn: [] }];
}

/** The rules of the fields. Fields that accept anything are omitted. */
export function rulesOf(
  setting: RegisterSetting,
  fields: readonly RegisterField[],
  method: Method,
  country: DialingCode | undefined,
): RuleSet {
  const all: [string, RuleSet[string]][] = fields.map((field) => {
    const required = setting.rules[field.name]?.find((rule) => rule.required);
    const format = field.messages['format'] ?? 'validation.pattern';
    return [
      field.name,
      [
        ...(field.requiredIn.includes(method)
          ? [
              {
                required: true,
                trim: required?.trim ?? false,
                message: field.messages['required'] ?? 'validation.required',
              },
            ]
          : []),
        ...field.rules,
        ...(field.name === 'mobileNum' && country
          ? [{ trim: true, pattern: country.pattern, message: format }]
          : []),
      ],
    ];
  });
  return Object.fromEntries(all.filter(([, rules]) => rules.length > 0));
}

/** Reports whether the field's value is sent without surrounding spaces. */
export const isTrimmed = ({ rules }: RegisterField): boolean => rules.some(({ trim }) => trim);
