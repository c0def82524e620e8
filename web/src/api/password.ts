import { errorOfThrown } from '../i18n/api-error.ts';
import { client, requestHeaders, value } from './client.ts';
import { forgetSessionPassword, updateRemembered } from './remembered.ts';
import { sendSealed } from './sealed.ts';
import { sentCode } from './sent-code.ts';
import { currentSession, endSession, holdToken, openSession, setRenewing } from './session.ts';
import { changePasswordModule } from './switches.gen.ts';

/** By what a code reaches somebody who forgot the password. */
export type Channel = 'sms' | 'email';

/** Whose password it is, as far as they can tell. */
export type Lost = {
  channel: Channel;
  /** Without its leading zero. */
  mobileNum: string;
  countryDialingCode: string;
  email: string;
  /** Empty where it is forgotten too. */
  username: string;
};

/** Sends a code to whoever owns the number or the address. The answer is the same where nobody does. */
export function sendResetCode(lost: Lost, captcha: string) {
  const body = { ...who(lost), ...(captcha && { captcha }) };
  return sentCode(
    lost.channel === 'sms'
      ? client.POST('/wps/member/password/sms', { body: { ...body, ...number(lost) } })
      : client.POST('/wps/member/password/email', { body: { ...body, email: lost.email } }),
  );
}

/** Changes a code for the ticket that sets one new password. */
export async function proveReset(lost: Lost, verificationCode: string): Promise<string> {
  const body = { ...who(lost), verificationCode };
  const { ticket } = await value(
    lost.channel === 'sms'
      ? client.POST('/wps/member/password/sms/verification', { body: { ...body, ...number(lost) } })
      : client.POST('/wps/member/password/email/verification', {
          body: { ...body, email: lost.email },
        }),
  );
  return ticket;
}

const who = ({ username }: Lost) => (username ? { username } : {});

const number = ({ mobileNum, countryDialingCode }: Lost) => ({ mobileNum, countryDialingCode });

type NewPassword = { newPassword: string; confirmNewPassword: string };

/** Sets a new password by a ticket, and tells whose it is. Every session of that member ends. */
export async function resetPassword(body: NewPassword & { ticket: string }): Promise<string> {
  const { userName } = await sendSealed(body, (sent, header) =>
    value(client.PUT('/wps/member/password/reset', { body: sent, params: { header } })),
  );
  return userName;
}

/** Gives the member a new password, by the old one, which is empty where there is none. All sessions end but this one, which goes on with a new token. */
export async function changePassword(
  body: NewPassword & { oldPassword: string; proofCode?: string },
  merchantCode: string,
): Promise<void> {
  const headers = requestHeaders(changePasswordModule);
  const token = currentSession()?.token;
  // The news that the old token is dead may come before the new one does.
  setRenewing(token);
  try {
    await holdToken(async () => {
      const grant = await value(client.PUT('/wps/member/password', { body, headers }));
      forgetSessionPassword();
      openSession(grant, merchantCode);
    });
  } catch (thrown) {
    setRenewing(undefined);
    if (token && errorOfThrown(thrown).endsSession) await endSession(token);
    throw thrown;
  }
  setRenewing(undefined);
  // A device that cannot keep it only asks for it next time.
  await updateRemembered(body.newPassword).catch(() => {});
}
