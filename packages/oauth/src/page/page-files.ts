import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type PageFile, pageAssets } from '@sibyl/plugin'

/** Returns the script and the style of the page by `imports` of package.json: compressed in `dist`; bundled now from the sources. */
export const pageFiles = () => {
  const { resolve } = createRequire(import.meta.url)
  return pageAssets((): readonly PageFile[] => {
    const [script, style] = [resolve('#oauth/page.js'), resolve('#oauth/style.css')]
    return [
      { name: 'page.js', path: script },
      { name: 'style.css', path: style },
    ]
  }, readSource)
}

const readSource = async (path: string): Promise<string> => {
  if (!path.endsWith('.ts')) return readFile(path, 'utf8')
  const script = fileURLToPath(new URL('../../../../scripts/bundle-page.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, path], { maxBuffer: 10_000_000 })
  return stdout
}
