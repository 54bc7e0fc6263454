import { escapeHtml } from '@sibyl/plugin'
import { pageFrame } from './page-frame.ts'
import type { PageLanguage } from './texts/page-language.ts'

/** The error that prevents a sign-in: its code, and its text in English. */
export interface PageProblem {
  readonly code?: string
  readonly message: string
}

/** Returns the page of a request that cannot continue. The client gets no response, since it may not be the one it claims to be. */
export const errorPage = (
  language: PageLanguage,
  oracle: string,
  { code = '', message }: PageProblem,
  root = '.',
): string => {
  const { failed, problems } = language.texts
  return pageFrame(
    language,
    oracle,
    failed.title,
    `<h1>${escapeHtml(failed.heading)}</h1>
<p role="alert">${escapeHtml(problems[code] ?? message)}</p>
<p class="quiet">${escapeHtml(failed.note)}</p>`,
    root,
  )
}
