import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gunzipSync, gzipSync } from 'node:zlib'

/** A file of the page. */
export interface DocsAsset {
  /** Its name in the URL, with a hash of its content. */
  readonly file: string
  readonly type: string
  readonly zipped: Uint8Array
  plain(): Uint8Array
}

/**
 * The files; `imports` of package.json selects their location: compressed in `dist`, or unchanged when it runs from
 * source.
 */
const names = ['swagger-ui.css', 'page.css', 'swagger-ui.js', 'page.js'] as const

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' }

/** Reads the files of the page. */
export const docsAssets = (): Promise<readonly DocsAsset[]> => Promise.all(names.map(readAsset))

const readAsset = async (name: (typeof names)[number]): Promise<DocsAsset> => {
  const path = createRequire(import.meta.url).resolve(`#api-docs/${name}`)
  const bytes = await readFile(path)
  const zipped = path.endsWith('.gz') ? bytes : gzipSync(bytes)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const [base, extension] = [name.replace(/\.\w+$/, ''), name.endsWith('.css') ? 'css' : 'js'] as const
  return { file: `${base}-${hash}.${extension}`, type: types[extension], zipped, plain: () => gunzipSync(zipped) }
}
