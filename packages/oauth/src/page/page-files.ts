import { createRequire } from 'node:module'
import { pageAssets } from '@sibyl/plugin'

/** Returns the script and the style of the page by `imports` of package.json: compressed in `dist`; bundled now from the sources. */
export const pageFiles = () => {
  const { resolve } = createRequire(import.meta.url)
  return pageAssets(() => [
    { name: 'page.js', path: resolve('#oauth/page.js') },
    { name: 'style.css', path: resolve('#oauth/style.css') },
  ])
}
