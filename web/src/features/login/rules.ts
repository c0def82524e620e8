import type { DialingCode, RegisterSetting } from '../../api/registration.ts';
import type { RuleSet } from '../../lib/validation/rules.ts';

/** By what one logs in. */
export type Mode = 'username' | 'mobile';

/**
 * What holds before the server has said more, or where it cannot: without an entry there is nothing to send. Said in the
 * same words as afterwards.
 */
const needed: RuleSet = Object.fromEntries(
  Object.entries({
    loginUsername: 'validation.required',
    loginPassword: 'member.password_required',
    loginMobileNum: 'validation.required',
    verificationCode: 'validation.required',
    captcha: 'captcha.required',
  }).map(([name, message]) => [name, [{ required: true, trim: true, message }]]),
);

/** The rules of the fields that a mode shows. */
export function rulesOf(
  setting: RegisterSetting | undefined,
  mode: Mode,
  country: DialingCode | undefined,
  captcha: boolean,
): RuleSet {
  const served = (name: string): RuleSet[string] => setting?.rules[name] ?? needed[name] ?? [];
  const picture: RuleSet = captcha ? { captcha: served('captcha') } : {};
  if (mode === 'username') {
    return { username: served('loginUsername'), password: served('loginPassword'), ...picture };
  }
  const number = country && {
    trim: true,
    pattern: country.pattern,
    message: 'member.mobile_format',
  };
  return {
    mobileNum: [...served('loginMobileNum'), ...(number ? [number] : [])],
    verificationCode: served('verificationCode'),
    ...picture,
  };
}
