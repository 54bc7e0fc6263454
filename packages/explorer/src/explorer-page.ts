import { escapeHtml } from '@sibyl/plugin'

/** Returns the page that its script fills. Its addresses are relative, so that it works under a path prefix too. */
export const explorerPage = (name: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(name)}: explorer</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="explorer/style.css">
<script type="module" src="explorer/app.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<div class="bar">
<p class="name">${escapeHtml(name)}<span>explorer</span></p>
<nav class="places" id="places" aria-label="Places" hidden></nav>
</div>
</header>
<main id="main" tabindex="-1">
<p class="quiet" id="loading">Opening the explorer…</p>
<noscript><p class="quiet">The explorer needs JavaScript. The same can be read with the routes below <code>/v1</code>, which <a href="docs">the API's page</a> lists.</p></noscript>
</main>
<p class="hidden" id="spoken" role="status"></p>
</body>
</html>
`
