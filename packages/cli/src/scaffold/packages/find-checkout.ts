import { existsSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/**
 * The checkout of Sibyl that this command runs from.
 *
 * @returns its folder; undefined where the command was installed as a package
 */
export const findCheckout = (): string | undefined => {
  if (import.meta.dirname.includes(`${sep}node_modules${sep}`)) return undefined
  return isIn(import.meta.dirname)
}

const isIn = (folder: string): string | undefined => {
  if (['pnpm-workspace.yaml', packingScript].every(file => existsSync(join(folder, file)))) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : isIn(parent)
}

/** Packs the packages of a checkout; relative to it. */
export const packingScript = join('scripts', 'pack-packages.mjs')
