import { memo, Suspense } from 'react'
import { lazyPart } from '../components/lazy-part.ts'
import classes from './chat-view.module.css'

const MarkdownText = lazyPart(() => import('./markdown-text.tsx'), 'MarkdownText')

/** The Markdown of an answer; its plain text until the renderer is loaded. */
export const Markdown = memo(({ text }: { readonly text: string }) => (
  <div className={classes.markdown}>
    <Suspense fallback={<p className={classes.plain}>{text}</p>}>
      <MarkdownText text={text} />
    </Suspense>
  </div>
))
