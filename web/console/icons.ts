import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconArrowsExchange from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs';
import IconBuildingBank from '@tabler/icons-react/dist/esm/icons/IconBuildingBank.mjs';
import IconChecklist from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs';
import IconDeviceGamepad2 from '@tabler/icons-react/dist/esm/icons/IconDeviceGamepad2.mjs';
import IconDice5 from '@tabler/icons-react/dist/esm/icons/IconDice5.mjs';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconGift from '@tabler/icons-react/dist/esm/icons/IconGift.mjs';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import IconId from '@tabler/icons-react/dist/esm/icons/IconId.mjs';
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs';
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs';
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs';
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconMessageCircle from '@tabler/icons-react/dist/esm/icons/IconMessageCircle.mjs';
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs';
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs';
import IconReceiptRefund from '@tabler/icons-react/dist/esm/icons/IconReceiptRefund.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs';
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs';
import IconSpeakerphone from '@tabler/icons-react/dist/esm/icons/IconSpeakerphone.mjs';
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs';
import IconTicket from '@tabler/icons-react/dist/esm/icons/IconTicket.mjs';
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs';

export const icons = {
  account: IconUser,
  approvals: IconChecklist,
  audit: IconHistory,
  chats: IconMessageCircle,
  columns: IconColumns3,
  content: IconSpeakerphone,
  deposits: IconArrowsExchange,
  download: IconDownload,
  empty: IconInbox,
  error: IconAlertTriangle,
  games: IconDeviceGamepad2,
  house: IconDice5,
  keyboard: IconKeyboard,
  kyc: IconId,
  language: IconLanguage,
  logout: IconLogout,
  lottery: IconTicket,
  members: IconUsers,
  moon: IconMoon,
  ok: IconCircleCheck,
  operators: IconShieldLock,
  overview: IconLayoutDashboard,
  promotions: IconGift,
  search: IconSearch,
  settings: IconSettings,
  streams: IconVideo,
  sun: IconSun,
  transfers: IconReceiptRefund,
  vendors: IconPlugConnected,
  withdrawals: IconBuildingBank,
} as const;

export type IconName = keyof typeof icons;
