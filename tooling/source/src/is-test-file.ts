import type { Manifest } from './manifest.ts'

/**
 * Whether a file serves the tests alone: `x.test.ts`, a helper `x.test.helper.ts`, or a file of a `testing` folder that
 * the package does not export.
 *
 * @param path Relative to the package, such as `src/testing/cluster.ts`.
 */
export const isTestFile = (path: string, manifest: Manifest): boolean =>
  /\.test(\.[\w-]+)?\.ts$/.test(path) || (path.startsWith('src/testing/') && !exportsTesting(manifest))

const exportsTesting = (manifest: Manifest): boolean => JSON.stringify(manifest.exports ?? {}).includes('/testing/')
