import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';

import { styleNonce } from '../../../nonce.ts';
import { previewColors as colors } from '../../../theme.ts';

import styles from './PhonePreview.module.css';

type PhonePreviewProps = {
  language: string;
  title: string;
  /** HTML. The frame runs no scripts. */
  content: string;
  image?: string;
  tag?: string;
  action?: string;
};

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => escapes[character]!);

/** Returns the page of the preview. The texts are escaped, except the content. */
export function previewPage({ language, title, content, image, tag, action }: PhonePreviewProps) {
  const direction = language === 'ur' ? 'rtl' : 'ltr';
  return `<!doctype html><html lang="${escape(language)}" dir="${direction}"><meta charset="utf-8">
<title>${escape(title)}</title>
<style nonce="${escape(styleNonce())}">
body{margin:0;padding:16px;font:15px/1.5 system-ui,sans-serif;background:${colors.surface};color:${colors.text};overflow-wrap:anywhere}
img{max-width:100%;height:auto;border-radius:12px}h1{font-size:19px;margin:12px 0}a{color:${colors.link}}
.tag{color:${colors.tag};font-size:13px;margin:12px 0 0}.action{display:inline-block;padding:10px 18px;border-radius:12px;background:${colors.action};color:${colors.actionText};font-weight:600}
</style>
${image ? `<img alt="" src="${escape(image)}">` : ''}
${tag ? `<p class="tag">${escape(tag)}</p>` : ''}
<h1>${escape(title)}</h1>${content}
${action ? `<p><span class="action">${escape(action)}</span></p>` : ''}`;
}

/** Shows a text as it looks on a phone, in a frame without scripts. */
export function PhonePreview(props: PhonePreviewProps) {
  const { t } = useLingui();
  const page = previewPage(props);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([page], { type: 'text/html;charset=utf-8' }));
    if (frame.current) frame.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [page]);
  return (
    <div className={styles.phone}>
      <iframe ref={frame} className={styles.screen} sandbox="" title={t`Preview`} />
    </div>
  );
}
