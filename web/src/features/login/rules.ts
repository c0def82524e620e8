import type { DialingCode, RegisterSetting } from '../../api/registration.ts';
import type { RuleSet } from '../../lib/validation/rules.ts';

export type Mode = 'username' | 'mobile';

/** The rules that apply until the server's rules are loaded, with the same messages. */
const defaults: RuleSet = Object.fromEntries(
  Object.entries({
    loginUsername: 'validation.required',
    loginPassword: 'member.password_required',
    loginMobileNum: 'validation.required',
    verificationCode: 'validation.required',
    captcha: 'captcha.required',
  }).map(([name, message]) => [name, [{ required: true, trim: true, message }]]),
);

export function rulesOf(
  setting: RegisterSetting | undefined,
  mode: Mode,
  country: DialingCode | undefined,
  captcha: boolean,
): RuleSet {
  const served = (name: string): RuleSet[string] => setting?.rules[name] ?? defaults[name] ?? [];
  const captchaRules: RuleSet = captcha ? { captcha: served('captcha') } : {};
  if (mode === 'username') {
    return {
      username: served('loginUsername'),
      password: served('loginPassword'),
      ...captchaRules,
    };
  }
  const number = country && {
    trim: true,
    pattern: country.pattern,
    message: 'member.mobile_format',
  };
  return {
    mobileNum: [...served('loginMobileNum'), ...(number ? [number] : [])],
    verificationCode: served('verificationCode'),
    ...captchaRules,
  };
}
