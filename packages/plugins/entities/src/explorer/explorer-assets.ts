import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

/** A file that the page loads. */
export interface ExplorerAsset {
  /** Its name in the address: `app.js`. */
  readonly file: string
  readonly type: string
  /** Of what is in it. */
  readonly etag: string
  readonly zipped: Uint8Array
  plain(): Uint8Array
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

/**
 * Reads the files that the page loads. Where they are is in `imports` of package.json: zipped in `dist`, with the script as
 * one file; and as they are, a file a module, when the plugin runs from source.
 */
export const explorerAssets = async (): Promise<ReadonlyMap<string, ExplorerAsset>> => {
  const { resolve } = createRequire(import.meta.url)
  const named = ['app.js', 'style.css'].map(name => resolve(`#explorer/${name}`))
  const paths = (await Promise.all(named.map(withItsModules))).flat()
  const assets = await Promise.all(paths.map(readAsset))
  return new Map(assets.map(asset => [asset.file, asset]))
}

const withItsModules = async (path: string): Promise<string[]> => {
  if (!path.endsWith('.js')) return [path]
  const folder = dirname(path)
  const names = await readdir(folder)
  return names.filter(name => name.endsWith('.js') && !name.includes('.test.')).map(name => join(folder, name))
}

const readAsset = async (path: string): Promise<ExplorerAsset> => {
  const bytes = await readFile(path)
  const isZipped = path.endsWith('.gz')
  const file = basename(path, '.gz')
  const zipped = isZipped ? bytes : gzipSync(bytes)
  return {
    file,
    type: types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`,
    zipped,
    plain: () => (isZipped ? gunzipSync(bytes) : bytes),
  }
}
