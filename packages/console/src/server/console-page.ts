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

/** Styles of the page until those of the app are loaded: the name of the oracle, and the early sign-in of `main.ts`. */
const firstStyles = [
  '@layer base{body{margin:0}}',
  '#first{padding:12px 16px;font:600 16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}#app:not(:empty)+#first{display:none}',
  '#first.sign-in{padding:16px;font-weight:400;background:light-dark(#fff,#242424);color:light-dark(#000,#c9c9c9)}',
  '#first main{display:grid;place-items:center;min-height:calc(100dvh - 32px)}',
  '#first section{box-sizing:border-box;width:100%;max-width:440px;padding:32px;display:grid;gap:16px;border:1px solid light-dark(#dee2e6,#424242);border-radius:4px}',
  '#first h1{margin:0;font-size:1.375rem;line-height:1.3;font-weight:600}#first p{margin:0;font-size:14px;color:light-dark(#5b6570,#a3acb5)}',
  '#first div{display:flex;flex-wrap:wrap;gap:16px}#first button{height:36px;padding:0 18px;border:1px solid light-dark(#ced4da,#424242);border-radius:4px;font-family:inherit;font-size:14px;font-weight:600;cursor:pointer;background:light-dark(#fff,#2e2e2e);color:inherit}',
  '#first .filled{border-color:transparent;background:light-dark(#0b665c,#12796d);color:#fff}',
  '#first .link{height:auto;padding:0;border:0;background:none;font-weight:400;color:light-dark(#0b665c,#4ab3a5)}',
].join('')

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
<div id="first">${escapeHtml(name)}</div>
${styles.map(style => `<link rel="stylesheet" href="${base}assets/${style}">`).join('\n')}
<script type="module" src="${base}assets/${script}"></script>
<noscript><p>The console needs JavaScript. The same can be done with the API: <a href="${base}../docs">API reference</a>.</p></noscript>
</body>
</html>
`
}
