import { createRequire } from 'node:module'
import { type PageAsset, pageAssets } from '@sibyl/plugin'

/** The files of the page, by their names in the address. */
export type SigningAssets = ReadonlyMap<string, PageAsset>

/** Reads the files of the page: compressed in `dist`, or bundled now from the sources, as `imports` of package.json selects. */
export const signingAssets = async (): Promise<SigningAssets> => {
  const { resolve } = createRequire(import.meta.url)
  const readAssets = pageAssets(() => [
    { name: 'page.js', path: resolve('#signing/page.js') },
    { name: 'style.css', path: resolve('#signing/style.css') },
  ])
  return new Map((await readAssets()).map(asset => [asset.name, asset]))
}
