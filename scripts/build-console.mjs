// Builds an app of packages/console: hashed files, each compressed, and the manifest that names the first ones. `console` is
// that of /console, `explorer` that of /explorer, whose build has its page too. `bundle-packages.mjs` copies them into dist.
// Run as a program it prints the folder of a build of the current sources, which it makes unless there is one: for an oracle
// that runs from source.
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'packages/console')

/** The defence to take out of the sources, for a fault script. */
const without = process.env.SIBYL_CONSOLE_WITHOUT ?? ''

/** A plugin of Vite that takes it out. */
async function removeDefence() {
  if (without === '') return undefined
  const { findDefence, replacementsOf } = await import('../benchmarks/faults/defences.ts')
  const { replaceText } = await import('../benchmarks/faults/frame/replace-source.ts')
  const replacements = replacementsOf(findDefence(without))
  return {
    name: 'remove-defence',
    enforce: 'pre',
    transform: (code, id) => replacements.filter(({ file }) => id.endsWith(`/${file}`)).reduce(replaceText, code),
  }
}

/** A plugin of Vite that removes the rules of Mantine for components that no script of the build has. */
function removeUnusedStyles(fromConsole) {
  const { parse } = createRequire(fromConsole.resolve('vite'))('postcss')
  return {
    name: 'remove-unused-styles',
    generateBundle(_, bundle) {
      const files = Object.values(bundle)
      const scripts = files.map(({ code = '' }) => code).join('')
      const isUsed = selector => {
        const names = selector.match(/(?<=\.)m_[\da-f]+/g)
        return names === null || names.some(name => scripts.includes(name))
      }
      for (const file of files.filter(({ fileName }) => fileName.endsWith('.css'))) {
        const styles = parse(file.source)
        styles.walkRules(rule => {
          rule.selectors = rule.selectors.filter(isUsed)
          if (rule.selector === '') rule.remove()
        })
        file.source = styles.toString()
      }
    },
  }
}

/** The file of src/app where each app begins. */
const entries = { console: 'main.ts', explorer: 'explorer.html' }

/**
 * Returns the groups of modules that have one script each, with what they import. The console has one for its start, the app,
 * the frame with the first view, dialogs, the chat, and what most other views share; schemas, which the first view does not need, are apart.
 */
function groupsOf(app) {
  const schemas = {
    name: 'schemas',
    test: /\/(?:node_modules\/zod|packages\/protocol|records)\//,
    minShareCount: 2,
    priority: 6,
  }
  const shared = { name: 'shared', minShareCount: 22, priority: 3 }
  if (app === 'explorer') return [{ name: 'first', tags: ['$initial'], priority: 6 }, schemas, shared]
  return [
    { name: 'main', test: /\/app\/main\.ts$/, priority: 7 },
    schemas,
    { name: 'first', test: /\/app\/app\.tsx$/, priority: 5 },
    { name: 'frame', test: /\/app\/(?:views|home\/home-view|components\/attention)\.tsx$/, priority: 4 },
    shared,
    {
      name: 'dialogs',
      test: /\/(?:confirm-button|answer-form|call-question|json-view|Modal|Drawer|FileButton)\.m?[jt]sx?$|\/hooks\/esm\/|\/icons\//,
      minShareCount: 2,
      priority: 2,
    },
    { name: 'chat', test: /\/app\/chat\/chat-view\.tsx$/, priority: 1 },
  ]
}

/**
 * @param {string} target Folder of the files; emptied first.
 * @param {'console' | 'explorer'} app
 */
async function buildConsole(target, app) {
  const fromConsole = createRequire(join(folder, 'package.json'))
  const load = name => import(pathToFileURL(fromConsole.resolve(name)).href)
  const [{ build }, { default: react }] = [await load('vite'), await load('@vitejs/plugin-react')]
  rmSync(target, { recursive: true, force: true })
  // Vite takes another value from the environment, and would build the slow React of development.
  process.env.NODE_ENV = 'production'
  await build({
    root: join(folder, 'src/app'),
    configFile: false,
    envFile: false,
    logLevel: 'error',
    base: './',
    // The page is beside the folder of its files, so that it works under a path prefix too.
    experimental: {
      renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `explorer/${file}` : { relative: true }),
    },
    plugins: [react(), await removeDefence(), removeUnusedStyles(fromConsole)],
    resolve: { conditions: ['sibyl-source', 'module', 'browser', 'production'] },
    build: {
      outDir: target,
      assetsDir: '.',
      emptyOutDir: true,
      manifest: 'manifest.json',
      license: { fileName: 'licenses.txt' },
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // A file inside the script would need `data:` in the policy.
      assetsInlineLimit: 0,
      rollupOptions: {
        input: join(folder, 'src/app', entries[app]),
        // Few scripts instead of sixty, since each request costs a slow network a round trip.
        output: { codeSplitting: { groups: groupsOf(app) } },
      },
    },
  })
  for (const name of readdirSync(target)) {
    if (name === 'manifest.json') continue
    const file = join(target, name)
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
    rmSync(file)
  }
}

/**
 * Returns the folder of a build of the current sources. Of several processes the first one builds, and the others wait for it.
 *
 * @param {'console' | 'explorer'} app
 */
export async function cachedBuild(app) {
  const hash = createHash('sha256').update(without)
  const sources = [
    ...globSync('src/app/**/*.{ts,tsx,css,html,json,svg}', { cwd: folder, exclude: path => path.endsWith('.test.ts') }),
    ...globSync(
      [
        '../{client,identity,plugin,protocol}/src/**/*.ts',
        '../{core,oauth,operations,plugins/*}/src/{records/*,**/*records}.ts',
        '../plugins/ussd/src/{phone,text}/*.ts',
      ],
      { cwd: folder, exclude: path => path.endsWith('.test.ts') },
    ),
    'package.json',
    '../../pnpm-lock.yaml',
    '../../scripts/build-console.mjs',
  ]
  for (const path of sources.toSorted()) hash.update(path).update(readFileSync(join(folder, path)))
  const cache = join(folder, 'node_modules/.cache')
  const built = join(cache, `${app}-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(built)) return built
  mkdirSync(cache, { recursive: true })
  const making = `${built}-making`
  while (!existsSync(built) && !isFirst(making)) await setTimeout(200)
  if (existsSync(built)) return built
  try {
    await buildConsole(join(making, 'app'), app)
    renameSync(join(making, 'app'), built)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
  return built
}

/** A build that takes longer was killed. */
const maxBuildMs = 180_000

/** Whether this process makes the folder, and so the build. */
function isFirst(making) {
  try {
    mkdirSync(making)
    return true
  } catch {
    const made = statSync(making, { throwIfNoEntry: false })
    if (made && Date.now() - made.mtimeMs > maxBuildMs) rmSync(making, { recursive: true, force: true })
    return false
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(await cachedBuild(process.argv[2] ?? 'console'))
}
