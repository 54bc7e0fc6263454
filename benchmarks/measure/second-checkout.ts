import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Returns the path of a benchmark's file in the checkout that `BENCH_BEFORE` names: another commit of this repository with its
 * packages installed, which is measured in the same rounds. Undefined where the variable is not set.
 *
 * @param file From the folder `benchmarks`.
 */
export const inSecondCheckout = (file: string): string | undefined => {
  const folder = process.env.BENCH_BEFORE
  if (folder === undefined || folder === '') return undefined
  const path = join(resolve(folder), 'benchmarks', file)
  if (!existsSync(path)) throw new Error(`BENCH_BEFORE: ${path} does not exist`)
  return path
}
