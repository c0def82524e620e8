import type { Channel } from '../../api/password.ts';
import type { RegisterSetting } from '../../api/registration.ts';
import type { RuleSet } from '../../lib/validation/rules.ts';

export type Step = 'who' | 'code' | 'password';

export const steps: readonly Step[] = ['who', 'code', 'password'];

/** The fields of a step, in their order. */
export function fieldsOf(step: Step, channel: Channel, pictured: boolean): string[] {
  const picture = pictured ? ['captcha'] : [];
  if (step === 'password') return ['newPassword', 'confirmNewPassword'];
  if (step === 'code') return ['verificationCode', ...picture];
  return [channel === 'sms' ? 'mobileNum' : 'email', 'username', ...picture];
}

/** Their rules, as the server serves them. */
export function rulesOf(
  setting: RegisterSetting,
  names: readonly string[],
  dialing: string,
): RuleSet {
  const country = setting.dialingCodes.find(({ code }) => code === dialing);
  const of = (name: string): RuleSet[string] => {
    const rules = setting.rules[name] ?? [];
    // The name is asked for to be sure, where it is still known.
    if (name === 'username') return unrequired(setting.rules['loginUsername'] ?? []);
    // An address that is somebody's may be longer than one that becomes so.
    if (name === 'email') return setting.rules['loginEmail'] ?? rules;
    if (name !== 'mobileNum' || !country) return rules;
    return [...rules, { trim: true, pattern: country.pattern, message: 'member.mobile_format' }];
  };
  const all = names.map((name) => [name, of(name)] as const);
  return Object.fromEntries(all.filter(([, rules]) => rules.length > 0));
}

const unrequired = (rules: RuleSet[string]) => rules.filter(({ required }) => !required);
