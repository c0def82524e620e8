import { agreement } from '../../api/pages.ts';
import { PageScreen } from './PageScreen.tsx';

export default function AgreementScreen() {
  return <PageScreen name={agreement} />;
}
