import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gunzipSync, gzipSync } from 'node:zlib'

/** A file that the page loads. */
export interface DocsAsset {
  /** Its name in the address, with a hash of what is in it. */
  readonly file: string
  readonly type: string
  readonly zipped: Uint8Array
  plain(): Uint8Array
}

/**
 * Where the files are is in `imports` of package.json: zipped in `dist`, where the build puts them, and as they are when
 * core runs from source.
 */
const names = ['swagger-ui.css', 'page.css', 'swagger-ui.js', 'page.js'] as const

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' }

/** Reads the files that the page loads. */
export const docsAssets = (): Promise<readonly DocsAsset[]> => Promise.all(names.map(readAsset))

const readAsset = async (name: (typeof names)[number]): Promise<DocsAsset> => {
  const path = createRequire(import.meta.url).resolve(`#api-docs/${name}`)
  const bytes = await readFile(path)
  const zipped = path.endsWith('.gz') ? bytes : gzipSync(bytes)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const [base, extension] = [name.replace(/\.\w+$/, ''), name.endsWith('.css') ? 'css' : 'js'] as const
  return { file: `${base}-${hash}.${extension}`, type: types[extension], zipped, plain: () => gunzipSync(zipped) }
}
