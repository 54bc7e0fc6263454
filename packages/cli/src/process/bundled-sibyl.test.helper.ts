import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

const checkout = join(import.meta.dirname, '../../../..')

// Once for all files of a worker.
execFileSync(process.execPath, [join(checkout, 'scripts/bundle-packages.mjs'), '--if-changed'], { stdio: 'pipe' })

/**
 * The path of the command as it is published, bundled from the current sources: it starts in two thirds of the
 * processor time, and oracles that it starts in half.
 */
export const bundledSibyl = join(checkout, 'packages/cli/dist/bin.js')

/** Makes the commands that these tests run in their own process start oracles with the bundled packages. */
export const useBundledPackages = (): void => {
  const { execArgv } = process
  beforeAll(() => {
    process.execArgv = execArgv.filter(argument => !argument.startsWith('--conditions='))
  })
  afterAll(() => {
    process.execArgv = execArgv
  })
}
