import { pagePolicy } from '@sibyl/plugin'

export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': pagePolicy(),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  connection: 'close',
}

/** Returns a page of the signing server. */
const page = (title: string, script: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
${script}</head>
<body>
<header><p class="name">Sibyl<span>signing</span></p></header>
${content}
</body>
</html>
`

/** The page of a request, filled by its script. It contains no data of the request. */
export const signingPage = page(
  'Sign with this phone',
  '<script type="module" src="/page.js"></script>\n',
  `<main id="main">
<p class="quiet" id="loading">Asking the computer…</p>
<noscript><p>Signing needs JavaScript, because this browser creates and stores the key. Allow JavaScript for this page, and open the link again.</p></noscript>
</main>
<footer id="footer" hidden></footer>
<p class="hidden" id="spoken" role="status"></p>`,
)

/** The page without a request: the link has expired, or is incomplete. */
export const nothingHerePage = page(
  'Nothing to sign here · Sibyl',
  '',
  `<main>
<h1>Nothing to sign here</h1>
<p class="mark" aria-hidden="true">–</p>
<p>This link has expired or is incomplete. Opening it signs nothing.</p>
<p>Run the command on the computer again, and scan the new code.</p>
</main>`,
)
