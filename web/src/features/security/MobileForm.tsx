import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import type { RegisterSetting } from '../../api/registration.ts';
import { bindMobile, sendMobileCode } from '../../api/security.ts';
import { settingsQuery } from '../../api/system.ts';
import { subscriberNumber } from '../../lib/phone.ts';
import { trimSpaces, type RuleSet } from '../../lib/validation/rules.ts';
import { CodeField } from '../../ui/form/CodeField.tsx';
import { PhoneField } from '../../ui/form/PhoneField.tsx';
import { ProofForm, type ProofFormState } from './ProofForm.tsx';
import { WithRegisterSetting } from './WithRegisterSetting.tsx';

type MobileFormProps = {
  /** The unverified number from the registration, if any. */
  unverified: { number: string; dialing: string };
  onDone: () => void;
};

export function MobileForm(props: MobileFormProps) {
  return (
    <WithRegisterSetting>
      {(setting) => <LoadedForm setting={setting} {...props} />}
    </WithRegisterSetting>
  );
}

function LoadedForm({
  setting,
  unverified,
  onDone,
}: MobileFormProps & { setting: RegisterSetting }) {
  const { t } = useLingui();
  const { data: settings } = useQuery(settingsQuery);
  const [chosen, setChosen] = useState(unverified.dialing);
  const { dialingCodes } = setting;
  const home = dialingCodes.find(({ code }) => code === settings?.countryDialingCode);
  const country = dialingCodes.find(({ code }) => code === chosen) ?? home ?? dialingCodes[0];
  const dialing = country?.code ?? '';
  const pattern = country?.pattern;
  const numberOf = (form: ProofFormState) => subscriberNumber(form.getValue('mobileNum'), dialing);
  const rules = useMemo<RuleSet>(() => {
    const { mobileNum = [], verificationCode = [] } = setting.rules;
    return {
      mobileNum: [
        ...mobileNum,
        ...(pattern ? [{ trim: true, pattern, message: 'member.mobile_format' }] : []),
      ],
      verificationCode,
    };
  }, [setting, pattern]);

  async function send(form: ProofFormState) {
    form.clearError();
    try {
      return await sendMobileCode(numberOf(form), dialing);
    } catch (thrown) {
      form.showError(thrown);
      return null;
    }
  }

  return (
    <ProofForm
      part="mobile"
      setting={setting}
      rules={rules}
      dialing={dialing}
      initial={{ mobileNum: unverified.number }}
      onDone={onDone}
      send={(form, proof) =>
        bindMobile({
          mobileNum: numberOf(form),
          countryDialingCode: dialing,
          verificationCode: trimSpaces(form.getValue('verificationCode')),
          ...proof,
        })
      }
    >
      {(form) => (
        <>
          <PhoneField
            {...form.input('mobileNum')}
            label={t`Mobile number`}
            countries={dialingCodes}
            dialing={dialing}
            onDialingChange={setChosen}
          />
          <CodeField
            {...form.input('verificationCode')}
            target={`bind:${dialing}${numberOf(form)}`}
            canSend={form.isGood('mobileNum')}
            send={() => send(form)}
          />
        </>
      )}
    </ProofForm>
  );
}
