// Makes one script of a page's modules, as browsers load it. `bundle-packages.mjs` packs it; run as a program it writes the
// script of the module that it is given, for a package that runs from source.
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** @param {string} file */
export async function bundlePage(file) {
  const conditionNames = ['sibyl-source', 'import', 'browser', 'default']
  const bundle = await rolldown({ input: file, platform: 'browser', resolve: { conditionNames } })
  const { output } = await bundle.generate({ format: 'esm', minify: true, comments: { legal: true } })
  await bundle.close()
  return output[0].code
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(await bundlePage(process.argv[2]))
}
