import { escapeHtml } from '@sibyl/plugin'
import { pageFrame } from './page-frame.ts'

/** Returns the page of a request that cannot go on. The client gets no response, since it may not be the one it claims to be. */
export const errorPage = (oracle: string, detail: string, root = '.'): string =>
  pageFrame(
    oracle,
    'Sign-in failed',
    `<h1>This sign-in cannot continue</h1>
<p role="alert">${escapeHtml(detail)}</p>
<p class="quiet">No access was granted. Close this page, and start again in the application.</p>`,
    root,
  )
