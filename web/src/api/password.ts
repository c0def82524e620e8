import { errorOfThrown } from '../i18n/api-error.ts';
import { client, requestHeaders, value } from './client.ts';
import { sendEncrypted } from './encrypted-body.ts';
import { withProof } from './proof-of-work.ts';
import { forgetSessionPassword, updateRemembered } from './remembered-login.ts';
import { withServerTime } from './server-time.ts';
import { currentSession, endSession, withTokenLock, openSession, setRenewing } from './session.ts';
import { changePasswordModule } from './switches.gen.ts';

export type Channel = 'sms' | 'email';

/** Where to send a code to a member who forgot the password. */
export type ResetTarget = {
  channel: Channel;
  /** Without the leading zero. */
  mobileNum: string;
  countryDialingCode: string;
  email: string;
  /** Empty if the member forgot it too. */
  username: string;
};

/** Sends a reset code. The response is the same for an unknown number or address. */
export function sendResetCode(target: ResetTarget, captcha: string) {
  const body = { ...usernameOf(target), ...(captcha && { captcha }) };
  return withProof('code', (proof) =>
    withServerTime(
      target.channel === 'sms'
        ? client.POST('/wps/member/password/sms', {
            body: { ...body, ...proof, ...phoneOf(target) },
          })
        : client.POST('/wps/member/password/email', {
            body: { ...body, ...proof, email: target.email },
          }),
    ),
  );
}

/** Exchanges a code for a ticket that sets one new password. */
export async function verifyResetCode(
  target: ResetTarget,
  verificationCode: string,
): Promise<string> {
  const body = { ...usernameOf(target), verificationCode };
  const { ticket } = await value(
    target.channel === 'sms'
      ? client.POST('/wps/member/password/sms/verification', {
          body: { ...body, ...phoneOf(target) },
        })
      : client.POST('/wps/member/password/email/verification', {
          body: { ...body, email: target.email },
        }),
  );
  return ticket;
}

const usernameOf = ({ username }: ResetTarget) => (username ? { username } : {});

const phoneOf = ({ mobileNum, countryDialingCode }: ResetTarget) => ({
  mobileNum,
  countryDialingCode,
});

type NewPassword = { newPassword: string; confirmNewPassword: string };

/** Sets a new password with a ticket and returns the username. All sessions of the member end. */
export async function resetPassword(body: NewPassword & { ticket: string }): Promise<string> {
  const { userName } = await sendEncrypted(body, (sent, header) =>
    value(client.PUT('/wps/member/password/reset', { body: sent, params: { header } })),
  );
  return userName;
}

/** Changes the password. `oldPassword` is empty if there is none. All other sessions end, and this one gets a new token. */
export async function changePassword(
  body: NewPassword & { oldPassword: string; proofCode?: string },
  merchantCode: string,
): Promise<void> {
  const headers = requestHeaders(changePasswordModule);
  const token = currentSession()?.token;
  // The event that the old token ended may arrive before the new token.
  setRenewing(token);
  try {
    await withTokenLock(async () => {
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
  // If the device cannot store the password, the member enters it at the next login.
  await updateRemembered(body.newPassword).catch(() => {});
}
