import { useAddressQuery } from '../../lib/router.tsx';
import { StreamList } from './StreamList.tsx';
import { StreamPage } from './StreamPage.tsx';

/** The list of live streams, or the one in the address. */
export default function StreamScreen() {
  const id = useAddressQuery().get('id');
  return id && /^\d+$/.test(id) ? <StreamPage key={id} id={id} /> : <StreamList />;
}
