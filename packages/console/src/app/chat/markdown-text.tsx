import { Anchor } from '@mantine/core'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import classes from './chat-view.module.css'

/** Schemes of links that can be opened. */
const openable = /^(https?:|mailto:)/i

/** Pictures of an answer are links: the browser loads nothing from elsewhere. */
const components: Components = {
  a: ({ href, children }) =>
    href !== undefined && openable.test(href) ? (
      <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow" inherit underline="always">
        {children}
      </Anchor>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) =>
    typeof src === 'string' && openable.test(src) ? (
      <Anchor href={src} target="_blank" rel="noopener noreferrer nofollow" inherit underline="always">
        {alt || src}
      </Anchor>
    ) : (
      <span>{alt}</span>
    ),
  table: ({ children }) => (
    <div className={classes.table}>
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <pre tabIndex={0}>{children}</pre>
  ),
}

/** Text of Markdown. HTML in it is shown as text. */
export const MarkdownText = ({ text }: { readonly text: string }) => (
  <ReactMarkdown remarkPlugins={[remarkGfm]} components={components}>
    {text}
  </ReactMarkdown>
)
