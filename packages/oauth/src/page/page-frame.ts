import { escapeHtml } from '@sibyl/plugin'

/** Returns a page with this content, which is HTML. @param root Relative path from the page to `/oauth`. */
export const pageFrame = (oracle: string, title: string, content: string, root = '.'): string => `<!doctype html>
<html lang="en">
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
<header><p class="name">${escapeHtml(oracle)}<span>sign in</span></p></header>
<main id="main">
${content}
</main>
</body>
</html>
`
