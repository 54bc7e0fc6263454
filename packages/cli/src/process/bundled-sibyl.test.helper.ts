import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const checkout = join(import.meta.dirname, '../../../..')

/**
 * Returns the path of the command as it is published, bundled from the current sources: it starts in two thirds of the
 * processor time, and oracles that it starts in half.
 */
export const bundledSibyl = (): string => {
  execFileSync(process.execPath, [join(checkout, 'scripts/bundle-packages.mjs'), '--if-changed'], { stdio: 'pipe' })
  return join(checkout, 'packages/cli/dist/bin.js')
}
