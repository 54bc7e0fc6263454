import { escapeHtml } from '@sibyl/plugin'
import type { AppFiles } from './app-files.ts'

/** Facts of the page besides the files that it loads. */
export interface ConsolePageFacts {
  /** Name of the oracle. */
  readonly name: string
  /** Path from the page to `/console/`: `console/`, `../`. Relative, so that the console works below any path of a proxy. */
  readonly base: string
  /** Nonce for the styles that components add. */
  readonly nonce: string
}

/** Returns the page that the app fills. */
export const consolePage = (
  { build, script, imports, styles }: AppFiles,
  { name, base, nonce }: ConsolePageFacts,
): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="oracle-name" content="${escapeHtml(name)}">
<meta name="console-build" content="${build}">
<meta name="style-nonce" content="${escapeHtml(nonce)}">
<title>${escapeHtml(name)}</title>
<link rel="icon" href="data:,">
${styles.map(style => `<link rel="stylesheet" href="${base}assets/${style}">`).join('\n')}
${imports.map(file => `<link rel="modulepreload" href="${base}assets/${file}">`).join('\n')}
<script type="module" src="${base}assets/${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>The console needs JavaScript. The same can be done with the API: <a href="${base}../docs">API reference</a>.</p></noscript>
</body>
</html>
`
