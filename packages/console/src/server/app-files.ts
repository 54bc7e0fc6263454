import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type PageAsset, pageAssets } from '@sibyl/plugin'
import { z } from 'zod'

/** Files of the built app. */
export interface AppFiles {
  /** Identifies the build: the same for the same files. */
  readonly build: string
  /** Name of the script that starts the app. */
  readonly script: string
  /** Names of the scripts that it imports, which the page loads at once. */
  readonly imports: readonly string[]
  /** Names of the styles of the first page. */
  readonly styles: readonly string[]
  /** Names of the scripts with the messages of the frame, by language. */
  readonly messages: ReadonlyMap<string, string>
  /** Files by name; each name has the hash of its content. */
  readonly assets: ReadonlyMap<string, PageAsset>
}

const manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    name: z.string().optional(),
    isEntry: z.boolean().optional(),
    imports: z.array(z.string()).optional(),
    css: z.array(z.string()).optional(),
  }),
)

/**
 * Returns a function that reads the built app at its first call.
 *
 * @param folder Folder of the build. @default that of the package; a package that runs from source builds it at the first call
 */
export const appFiles = (folder?: string): (() => Promise<AppFiles>) => {
  let files: Promise<AppFiles> | undefined
  return () => {
    files ??= readFiles(folder).catch((error: unknown) => {
      files = undefined
      throw error
    })
    return files
  }
}

const readFiles = async (given: string | undefined): Promise<AppFiles> => {
  const folder = given ?? (await builtFolder())
  const names = (await readdir(folder)).filter(name => name !== 'manifest.json')
  const assets = await pageAssets(() => names.map(name => join(folder, name)))()
  const chunks = manifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
  const entry = Object.keys(chunks).find(name => chunks[name]?.isEntry)
  if (entry === undefined) throw new Error('The build of the console has no entry.')
  // The entry draws the sign-in, and loads the app beside the views.
  const first = new Set([entry, ...Object.keys(chunks).filter(key => chunks[key]?.name === 'first')])
  for (const name of first) for (const imported of chunks[name]?.imports ?? []) first.add(imported)
  const [script = '', ...imports] = [...first].flatMap(name => chunks[name]?.file ?? [])
  return {
    build: createHash('sha256').update(names.toSorted().join('\n')).digest('hex').slice(0, 12),
    script,
    imports,
    styles: [...first].flatMap(name => chunks[name]?.css ?? []),
    messages: new Map(
      Object.entries(chunks).flatMap(([name, { file }]) => {
        const [, language] = /(?:^|\/)i18n\/messages\/(\w+)\.json$/.exec(name) ?? []
        return language === undefined ? [] : [[language, file]]
      }),
    ),
    assets: new Map(assets.map(asset => [asset.name, asset])),
  }
}

/** Returns the folder of the build of the package. */
export const builtFolder = async (): Promise<string> => {
  if (!import.meta.url.endsWith('.ts')) return fileURLToPath(new URL('./static', import.meta.url))
  const script = fileURLToPath(new URL('../../../../scripts/build-console.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  return stdout.trim()
}
