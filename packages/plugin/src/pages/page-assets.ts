import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'

/** A script or a style of a page. */
export interface PageAsset {
  /** Name without a hash: `app.js`. */
  readonly name: string
  /** Name with a hash of the content, for URLs that are cached forever: `app-0f3a….js`. */
  readonly hashedName: string
  readonly type: string
  /** Strong ETag of the content. */
  readonly etag: string
  /** The content as it was compressed by Brotli when it was built. */
  readonly brotli: Uint8Array | undefined
  /** Returns the content compressed by gzip. */
  zipped(): Uint8Array
  plain(): Uint8Array
}

/**
 * A file of a page: its path, and its name in the URL if it differs. Files that end with `.gz` or `.br` are already compressed.
 */
export type PageFile = string | { readonly name: string; readonly path: string }

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Returns a function that reads the files of a page at its first call, and caches them. A failed read is retried. In a
 * checkout of Sibyl, scripts in TypeScript are bundled.
 *
 * @param listFiles Returns the files.
 */
export const pageAssets = (
  listFiles: () => readonly PageFile[] | Promise<readonly PageFile[]>,
): (() => Promise<readonly PageAsset[]>) => {
  let assets: Promise<readonly PageAsset[]> | undefined
  const readAll = async () => Promise.all((await listFiles()).map(readAsset))
  return () => {
    assets ??= readAll().catch((error: unknown) => {
      assets = undefined
      throw error
    })
    return assets
  }
}

const readAsset = async (file: PageFile): Promise<PageAsset> => {
  const { path, name } =
    typeof file === 'string' ? { path: file, name: basename(file).replace(/\.(?:gz|br)$/, '') } : file
  const bytes = await readSource(path)
  const brotli = path.endsWith('.br') ? bytes : undefined
  const plain = () => (brotli ? brotliDecompressSync(brotli) : path.endsWith('.gz') ? gunzipSync(bytes) : bytes)
  let zipped = path.endsWith('.gz') ? bytes : undefined
  const hash = createHash('sha256').update(bytes).digest('hex')
  const extension = extname(name)
  return {
    name,
    hashedName: `${basename(name, extension)}-${hash.slice(0, 16)}${extension}`,
    type: types[extension] ?? 'application/octet-stream',
    etag: `"${hash.slice(0, 32)}"`,
    brotli,
    zipped() {
      zipped ??= gzipSync(plain())
      return zipped
    },
    plain,
  }
}

const readSource = async (path: string): Promise<Uint8Array> => {
  if (!path.endsWith('.ts')) return readFile(path)
  const script = fileURLToPath(new URL('../../../../scripts/bundle-page.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, path], { maxBuffer: 10_000_000 })
  return Buffer.from(stdout)
}
