import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'

interface SigningAsset {
  readonly type: string
  readonly zipped: Uint8Array
  plain(): Uint8Array
}

/** The files of the page, by their names in the address. */
export type SigningAssets = ReadonlyMap<string, SigningAsset>

/**
 * Reads the files of the page. `imports` of package.json selects their location: compressed in `dist`, with the script
 * as one file; or modules of the source, which are bundled now.
 */
export const signingAssets = async (): Promise<SigningAssets> => {
  const { resolve } = createRequire(import.meta.url)
  const [script, style] = await Promise.all([
    readAsset(resolve('#signing/page.js'), 'text/javascript; charset=utf-8'),
    readAsset(resolve('#signing/style.css'), 'text/css; charset=utf-8'),
  ])
  return new Map([
    ['page.js', script],
    ['style.css', style],
  ])
}

const readAsset = async (path: string, type: string): Promise<SigningAsset> => {
  const zipped = path.endsWith('.gz') ? await readFile(path) : gzipSync(await readSource(path))
  return { type, zipped, plain: () => gunzipSync(zipped) }
}

const readSource = async (path: string): Promise<string> => {
  if (!path.endsWith('.ts')) return readFile(path, 'utf8')
  const script = fileURLToPath(new URL('../../../../scripts/bundle-page.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, path], { maxBuffer: 10_000_000 })
  return stdout
}
