import { escapeHtml } from '@sibyl/plugin'
import { languages, type PageLanguage } from './texts/page-language.ts'

/** Returns a page with this content, which is HTML. @param root Relative path from the page to `/oauth`. */
export const pageFrame = (
  { code, texts }: PageLanguage,
  oracle: string,
  title: string,
  content: string,
  root = '.',
): string => `<!doctype html>
<html lang="${code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · ${escapeHtml(oracle)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}/page/style.css">
</head>
<body>
<header><p class="name">${escapeHtml(oracle)}<span>${escapeHtml(texts.signIn)}</span></p>
<div class="languages" role="group" aria-label="${escapeHtml(texts.languages)}">${Object.entries(languages).map(linkTo(code)).join('')}</div></header>
<main id="main">
${content}
</main>
</body>
</html>
`

/** Returns the link to the same page in a language. */
const linkTo =
  (current: string) =>
  ([code, name]: readonly [string, string]): string =>
    `<a href="?lang=${code}" lang="${code}" hreflang="${code}"${code === current ? ' aria-current="true"' : ''}>${name}</a>`
