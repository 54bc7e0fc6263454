// Runs one chat turn in a checkout, and prints the source files of which a function ran during it, one a line.
// Called with the folder of the checkout, under `node --conditions=sibyl-source`.
import { existsSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = resolve(process.argv[2] ?? '.')
const load = (...paths: string[]) => {
  const found = paths.map(path => join(root, 'packages', path)).find(path => existsSync(path))
  if (found === undefined) throw new Error(`None of ${paths.join(', ')} is in the checkout. Name the folder of one.`)
  return import(pathToFileURL(found).href)
}

const { testApp } = await load('testing/src/index.ts', 'core/src/testing/index.ts')
const { weather } = await load('plugins/weather/src/index.ts')
const oracle = await testApp({ config: { name: 'metrics' }, plugins: [weather()] })
await oracle.chat('Hello')

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await session.post('Profiler.takePreciseCoverage')
await oracle.chat('Which tools are there?')
const { result } = (await session.post('Profiler.takePreciseCoverage')) as {
  result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[]
}
await session.post('Profiler.stopPreciseCoverage')

const files = result
  .filter(({ url, functions }) => url.startsWith('file:') && functions.some(ran))
  .map(({ url }) => relative(root, fileURLToPath(url)))
  .filter(path => path.startsWith('packages/') && !path.includes('node_modules') && !path.includes('/testing/'))
  .toSorted()
console.log(files.join('\n'))
await oracle.app.close()

function ran({ ranges }: { ranges: { count: number }[] }): boolean {
  return ranges.some(({ count }) => count > 0)
}
