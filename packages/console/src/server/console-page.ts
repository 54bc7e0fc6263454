import { escapeHtml } from '@sibyl/plugin'
import { sibylCommand } from '@sibyl/plugin/host'
import type { AppFiles } from './app-files.ts'

/** Facts of the page besides the files that it loads. */
export interface ConsolePageFacts {
  /** Name of the oracle. */
  readonly name: string
  /** Path from the page to `/console/`: `console/`, `../`. Relative, so that the console works below any path of a proxy. */
  readonly base: string
  /** Nonce for the styles that components add. */
  readonly nonce: string
  /** Languages that the browser accepts: `fr-FR,fr;q=0.9`. */
  readonly languages: string
}

/** Styles of the page until those of the app are loaded. */
const firstStyles =
  '@layer base{body{margin:0;font-family:system-ui,sans-serif}}#first{margin:0;padding:12px 16px;font-weight:600}#app:not(:empty)+#first{display:none}'

/**
 * Returns the page that the app fills. The name of the oracle is drawn before styles and scripts are loaded, and
 * hidden once the app is drawn. Scripts run after the styles, which the app's own ones override.
 */
export const consolePage = (
  { build, script, imports, styles, messages }: AppFiles,
  { name, base, nonce, languages }: ConsolePageFacts,
): string => {
  const accepted = languages.split(',').map(language => language.trim().slice(0, 2).toLowerCase())
  const language = accepted.find(one => messages.has(one)) ?? 'en'
  const texts = messages.get(language)
  const first = [...imports, ...(texts === undefined ? [] : [texts])]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="oracle-name" content="${escapeHtml(name)}">
<meta name="sibyl-command" content="${sibylCommand(process.env, 'npx sibyl')}">
<meta name="console-build" content="${build}">
<meta name="style-nonce" content="${escapeHtml(nonce)}">
<title>${escapeHtml(name)}</title>
<link rel="icon" href="data:,">
<style nonce="${escapeHtml(nonce)}">${firstStyles}</style>
${first.map(file => `<link rel="modulepreload" href="${base}assets/${file}">`).join('\n')}
</head>
<body>
<div id="app"></div>
<p id="first">${escapeHtml(name)}</p>
${styles.map(style => `<link rel="stylesheet" href="${base}assets/${style}">`).join('\n')}
<script type="module" src="${base}assets/${script}"></script>
<noscript><p>The console needs JavaScript. The same can be done with the API: <a href="${base}../docs">API reference</a>.</p></noscript>
</body>
</html>
`
}
