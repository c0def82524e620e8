import type { Channel } from '../../api/password.ts';
import type { RegisterSetting } from '../../api/registration.ts';
import type { RuleSet } from '../../lib/validation/rules.ts';

export type Step = 'who' | 'code' | 'password';

export const steps: readonly Step[] = ['who', 'code', 'password'];

export function fieldsOf(step: Step, channel: Channel, needsCaptcha: boolean): string[] {
  const captcha = needsCaptcha ? ['captcha'] : [];
  if (step === 'password') return ['newPassword', 'confirmNewPassword'];
  if (step === 'code') return ['verificationCode', ...captcha];
  return [channel === 'sms' ? 'mobileNum' : 'email', 'username', ...captcha];
}

export function rulesOf(
  setting: RegisterSetting,
  names: readonly string[],
  dialing: string,
): RuleSet {
  const country = setting.dialingCodes.find(({ code }) => code === dialing);
  const ruleOf = (name: string): RuleSet[string] => {
    const rules = setting.rules[name] ?? [];
    // The name is optional: it selects one of several accounts.
    if (name === 'username') return optional(setting.rules['loginUsername'] ?? []);
    // The address of an existing account may be longer than a new one may be.
    if (name === 'email') return setting.rules['loginEmail'] ?? rules;
    if (name !== 'mobileNum' || !country) return rules;
    return [...rules, { trim: true, pattern: country.pattern, message: 'member.mobile_format' }];
  };
  const all = names.map((name) => [name, ruleOf(name)] as const);
  return Object.fromEntries(all.filter(([, rules]) => rules.length > 0));
}

const optional = (rules: RuleSet[string]) => rules.filter(({ required }) => !required);
