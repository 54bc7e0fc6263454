import { escapeHtml } from '@sibyl/plugin'
import { sibylCommand } from '@sibyl/plugin/host'

export interface DocsPageParts {
  /** The oracle's name. */
  readonly name: string
  /** The nonce of its policy; new for each response. */
  readonly nonce: string
  /** Its files, in order. */
  readonly files: readonly string[]
}

/** Returns the page `/docs`. Its URLs are relative, so that it works below a path prefix. */
export const docsPage = ({ name, nonce, files }: DocsPageParts): string => {
  const load = (file: string) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" nonce="${nonce}" href="docs/${file}">`
      : `<script nonce="${nonce}" src="docs/${file}" defer></script>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(name)}: API</title>
<link rel="icon" href="data:,">
${files.map(load).join('\n')}
</head>
<body>
<a class="skip" href="#api">Skip to the routes</a>
<header>
<div class="bar">
<h1 class="name">${escapeHtml(name)}<span>API</span></h1>
<nav><a href="openapi.json">OpenAPI document</a></nav>
</div>
</header>
<div class="content">
<section class="access" aria-labelledby="access-title">
<h2 id="access-title">Try a call</h2>
<p>Routes without a lock need no credentials: open one and press <b>Execute</b>. For the others paste a bearer.
<code id="command">${sibylCommand(process.env, 'npx sibyl')} token --bearer</code> prints one that is valid for 15 minutes.</p>
<form id="access">
<label for="token">Bearer</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" autocapitalize="off">
<button type="submit">Use it</button>
<button type="button" id="forget" class="plain" hidden>Forget it</button>
</form>
<p id="state" role="status">No bearer is set. It stays in this page and is sent only to this oracle.</p>
</section>
<div id="api"><p class="loading">Reading the routes…</p></div>
<noscript><p class="loading">This page needs JavaScript. See the <a href="openapi.json">OpenAPI document</a> instead.</p></noscript>
</div>
</body>
</html>
`
}
