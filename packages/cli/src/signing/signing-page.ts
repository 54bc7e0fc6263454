/**
 * The permissions of the page: its own script and style, requests to its own origin, nothing else (Content Security
 * Policy Level 3). With Trusted Types (W3C) the browser rejects text as HTML.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  connection: 'close',
}

/** The page of a request, filled by its script. It contains no data of the request. */
export const signingPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Sign with this phone</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<script type="module" src="/page.js"></script>
</head>
<body>
<header><p class="name">Sibyl<span>signing</span></p></header>
<main id="main">
<p class="quiet" id="loading">Asking the computer…</p>
<noscript><p>Signing needs JavaScript, because this browser creates and stores the key. Allow JavaScript for this page, and open the link again.</p></noscript>
</main>
<footer id="footer" hidden></footer>
<p class="hidden" id="spoken" role="status"></p>
</body>
</html>
`

/** The page without a request: the link has expired, or is incomplete. */
export const nothingHerePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Nothing to sign here · Sibyl</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><p class="name">Sibyl<span>signing</span></p></header>
<main>
<h1>Nothing to sign here</h1>
<p class="mark" aria-hidden="true">–</p>
<p>This link has expired or is incomplete. Opening it signs nothing.</p>
<p>Run the command on the computer again, and scan the new code.</p>
</main>
</body>
</html>
`
