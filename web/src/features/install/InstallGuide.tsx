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
  initialPhone?: Phone | undefined;
};

export function InstallGuide({ initialPhone }: InstallGuideProps) {
  const { t } = useLingui();
  const { data: settings, error, refetch } = useQuery(settingsQuery);
  const [phone, setPhone] = useState<Phone>(
    initialPhone ?? (deviceOf() === 'ios' ? 'ios' : 'android'),
  );
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
      <Requirements phone={phone} />
      <ol className={styles.steps}>
        {steps[phone].map((step, index) => (
          <GuideStep key={step.icon} step={step} number={index + 1} />
        ))}
      </ol>
      {!settings && error && (
        <ErrorRetry onRetry={refetch} detail={describeError(error)} answered={wasAnswered(error)} />
      )}
      {phone === 'ios' ? (
        <IosDownloads settings={settings} />
      ) : (
        <AndroidDownloads settings={settings} />
      )}
    </div>
  );
}

function Requirements({ phone }: { phone: Phone }) {
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
function IosDownloads({ settings }: { settings: Settings | undefined }) {
  const { t } = useLingui();
  const [showsNotice, setShowsNotice] = useState(false);
  const profile = downloadOf(settings, 'MOBILECONFIG');
  const app = downloadUrl(settings, 'IOS');
  const isOtherBrowser = deviceOf() === 'ios' && !isSafari();

  function requireSafari(event: MouseEvent): void {
    if (!isOtherBrowser) return;
    event.preventDefault();
    setShowsNotice(true);
  }

  return (
    <div className={styles.downloads}>
      {profile && (
        <a
          href={profile}
          onClick={requireSafari}
          className={buttonClass({ size: 'lg', full: true })}
        >
          <Icon name="download-simple" size={20} />
          {t`Install by a profile`}
        </a>
      )}
      {app && (
        <a
          href={app}
          onClick={requireSafari}
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
      {isOtherBrowser && (
        <Button variant="text" size="md" full onPress={() => setShowsNotice(true)}>
          {t`Add to home screen`}
        </Button>
      )}
      <Dialog
        alert
        open={showsNotice}
        onClose={() => setShowsNotice(false)}
        title={t({ id: 'in_notice', message: 'Notice' })}
        text={t`Please open this page in Safari: other browsers on an iPhone cannot install it.`}
        actions={
          <Button size="md" full onPress={() => setShowsNotice(false)}>
            {t`Confirm`}
          </Button>
        }
      />
    </div>
  );
}

/** Returns a download link, or null for one that leads back to this guide. */
function downloadUrl(settings: Settings | undefined, type: 'IOS' | 'Android'): string | null {
  const url = downloadOf(settings, type);
  return url === guidePath ? null : url;
}

async function install(): Promise<void> {
  if (await askToInstall()) toast.success(msg`Installing`);
}

function AndroidDownloads({ settings }: { settings: Settings | undefined }) {
  const { t } = useLingui();
  const file = downloadUrl(settings, 'Android');
  const prompt = useInstallPrompt((state) => state.prompt);

  return (
    <div className={styles.downloads}>
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
