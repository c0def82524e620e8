import { msg } from '@lingui/core/macro';
import { useLingui as useCatalogue } from '@lingui/react';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState, type MouseEvent } from 'react';

import { downloadOf } from '../../api/downloads.ts';
import { settingsQuery, type Settings } from '../../api/system.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { deviceOf } from '../../lib/device.ts';
import { askToInstall, useInstallPrompt } from '../../lib/install-prompt.ts';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { toast } from '../../ui/toastStore.ts';
import { isSafari, isTooOld, steps, type Phone, type Step } from './guide.ts';

import styles from './InstallGuide.module.css';

const guidePath = '/m/app';

export type InstallGuideProps = {
  /** Defaults to the member's phone. */
  first?: Phone | undefined;
};

export function InstallGuide({ first }: InstallGuideProps) {
  const { t } = useLingui();
  const { data: settings, error, refetch } = useQuery(settingsQuery);
  const [phone, setPhone] = useState<Phone>(first ?? (deviceOf() === 'ios' ? 'ios' : 'android'));
  return (
    <div className={styles.guide}>
      <Segmented<Phone>
        label={t`Your phone`}
        value={phone}
        onChange={setPhone}
        options={[
          { value: 'ios', label: 'iPhone (iOS)', icon: 'device-mobile' },
          { value: 'android', label: 'Android', icon: 'android-logo' },
        ]}
      />
      <Note phone={phone} />
      <ol className={styles.steps}>
        {steps[phone].map((step, index) => (
          <GuideStep key={step.icon} step={step} number={index + 1} />
        ))}
      </ol>
      {!settings && error && (
        <ErrorRetry onRetry={refetch} detail={describeError(error)} answered={wasAnswered(error)} />
      )}
      {phone === 'ios' ? <IosWays settings={settings} /> : <AndroidWays settings={settings} />}
    </div>
  );
}

function Note({ phone }: { phone: Phone }) {
  const { t } = useLingui();
  const tooOld = phone === 'ios' && deviceOf() === 'ios' && isTooOld();
  return (
    <p className={styles.note} data-bad={tooOld || undefined}>
      <Icon name="info" size={18} className={styles.noteIcon} />
      {tooOld
        ? t`Your phone’s system is older than iOS 12.4: update it first.`
        : phone === 'ios'
          ? t`Open this page in Safari, the iPhone’s own browser, on iOS 12.4 or later.`
          : t`Open this page in Chrome or in your phone’s own browser.`}
    </p>
  );
}

function GuideStep({ step, number }: { step: Step; number: number }) {
  const { i18n } = useCatalogue();
  return (
    <li className={styles.step}>
      <span className={styles.drawing} aria-hidden="true">
        <span className={styles.number}>{number}</span>
        {step.icon === 'logo' ? (
          <Logo size={40} />
        ) : (
          <span className={styles.key}>
            <Icon name={step.icon} size={22} />
          </span>
        )}
      </span>
      {i18n._(step.text)}
    </li>
  );
}

/** Downloads for iOS. Browsers other than Safari cannot install them, so they show a notice. */
function IosWays({ settings }: { settings: Settings | undefined }) {
  const { t } = useLingui();
  const [notice, setNotice] = useState(false);
  const profile = downloadOf(settings, 'MOBILECONFIG');
  const app = fileOf(settings, 'IOS');
  const other = deviceOf() === 'ios' && !isSafari();

  function check(event: MouseEvent): void {
    if (!other) return;
    event.preventDefault();
    setNotice(true);
  }

  return (
    <div className={styles.ways}>
      {profile && (
        <a href={profile} onClick={check} className={buttonClass({ size: 'lg', full: true })}>
          <Icon name="download-simple" size={20} />
          {t`Install by a profile`}
        </a>
      )}
      {app && (
        <a
          href={app}
          onClick={check}
          rel="noreferrer"
          className={buttonClass({
            variant: profile ? 'secondary' : 'primary',
            size: 'lg',
            full: true,
          })}
        >
          <Icon name="download-simple" size={20} />
          {t`Download for iPhone`}
        </a>
      )}
      {other && (
        <Button variant="text" size="md" full onPress={() => setNotice(true)}>
          {t`Add to home screen`}
        </Button>
      )}
      <Dialog
        alert
        open={notice}
        onClose={() => setNotice(false)}
        title={t({ id: 'in_notice', message: 'Notice' })}
        text={t`Please open this page in Safari: other browsers on an iPhone cannot install it.`}
        actions={
          <Button size="md" full onPress={() => setNotice(false)}>
            {t`Confirm`}
          </Button>
        }
      />
    </div>
  );
}

/** Returns a download link, or null for one that leads back to this guide. */
function fileOf(settings: Settings | undefined, resource: 'IOS' | 'Android'): string | null {
  const url = downloadOf(settings, resource);
  return url === guidePath ? null : url;
}

async function install(): Promise<void> {
  if (await askToInstall()) toast.success(msg`Installing`);
}

function AndroidWays({ settings }: { settings: Settings | undefined }) {
  const { t } = useLingui();
  const file = fileOf(settings, 'Android');
  const prompt = useInstallPrompt((state) => state.prompt);

  return (
    <div className={styles.ways}>
      {file && (
        <a href={file} rel="noreferrer" className={buttonClass({ size: 'lg', full: true })}>
          <Icon name="download-simple" size={20} />
          {t`Download for Android`}
        </a>
      )}
      {prompt && (
        <Button
          variant={file ? 'secondary' : 'primary'}
          full
          icon="plus-square"
          onPress={() => void install()}
        >
          {t`Add to home screen`}
        </Button>
      )}
    </div>
  );
}
