// Makes the JavaScript of every published package: one file for each entry of its `exports` and `bin`, and one for what
// is loaded later. tsc makes the types beside them. Fewer files load faster: a boot reads 7 of ours instead of 190.
// Dependencies stay outside, but for four that every boot loads and that are many modules as published: Kysely in storage
// (304 of them take 75 ms and 28 MB), yaml in skills (72), pino with what it needs in telemetry (27), and bip39 in identity, whose
// word lists of other languages than English are left out.
// Files that are sent to browsers are packed zipped: those that `imports` of a package puts into dist.
// The templates go into the command's package.
// With --if-changed nothing is made if the last run had the same sources; of two processes one waits for the other.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { templateNames } from '../packages/cli/src/scaffold/answers/scaffold-answers.ts'
import { readTemplateSources } from '../packages/cli/src/scaffold/packages/template.ts'
import { cachedBuild } from './build-console.mjs'
import { bundlePage } from './bundle-page.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bundledIn = {
  '@sibyl/storage': ['kysely'],
  '@sibyl/plugin-skills': ['yaml'],
  '@sibyl/telemetry': ['pino'],
  '@sibyl/identity': ['bip39'],
}

/** Empties the word lists that no mnemonic of ours uses. */
const withoutWordLists = {
  name: 'without-word-lists',
  load: id => (/\/bip39\/.*\/wordlists\/(?!english\.)/.test(id) ? '[]' : undefined),
}

const cache = join(root, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
// A lock that ends with the process that holds it.
const last = new DatabaseSync(join(cache, 'bundles.db'), { timeout: 10 * 60_000 })
last.exec('BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS bundles (sources TEXT)')
const sources = hashOfSources()
if (!process.argv.includes('--if-changed') || !isMadeOf(sources)) {
  await bundlePackages()
  last.exec('DELETE FROM bundles')
  last.prepare('INSERT INTO bundles VALUES (?)').run(sources)
}
last.exec('COMMIT')

async function bundlePackages() {
  for (const folder of packageFolders()) {
    const manifest = manifestOf(folder)
    await bundlePackage(folder, manifest)
    for (const target of Object.values(manifest.imports ?? {})) await packFile(folder, target)
  }
  await copyConsole('console', join(root, 'packages/console/dist/static'))
  await copyConsole('explorer', join(root, 'packages/plugins/entities/dist/static'))
  await bundleTemplates(join(root, 'packages/cli/dist/templates'))
}

/** Copies the build that oracles of the tests serve too. */
async function copyConsole(app, target) {
  rmSync(target, { recursive: true, force: true })
  cpSync(await cachedBuild(app), target, { recursive: true })
}

function packageFolders() {
  const manifests = globSync(['packages/*/package.json', 'packages/{plugins,adapters}/*/package.json'], { cwd: root })
  return manifests.map(file => join(root, dirname(file)))
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function hashOfSources() {
  // Checkouts may share the folder of modules.
  const hash = createHash('sha256').update(root)
  const files = globSync(
    [
      'packages/**/{src/**/*.*,package.json}',
      'templates/**/*.*',
      'examples/deploy/{oracle.service,compose.yaml,Caddyfile}',
      'scripts/bu*.mjs',
      'pnpm-lock.yaml',
    ],
    {
      cwd: root,
      exclude: ['**/node_modules', '**/dist', '**/*.test.*'],
    },
  )
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function isMadeOf(hash) {
  return (
    last.prepare('SELECT 1 FROM bundles WHERE sources = ?').get(hash) !== undefined &&
    packageFolders().every(folder => entriesOf(manifestOf(folder)).every(entry => existsSync(join(folder, entry))))
  )
}

function entriesOf({ exports, bin = {} }) {
  return [...Object.values(exports).flatMap(entry => entry.default ?? []), ...Object.values(bin)]
}

async function bundlePackage(folder, manifest) {
  const { name, dependencies, peerDependencies, peerDependenciesMeta } = manifest
  const inside = bundledIn[name] ?? []
  const outside = Object.keys({ ...dependencies, ...peerDependencies, ...peerDependenciesMeta }).filter(
    one => !inside.includes(one),
  )
  const input = Object.fromEntries(
    entriesOf(manifest)
      .map(path => path.replace(/^\.\/dist\/|\.js$/g, ''))
      .map(path => [path, join(folder, 'src', `${path}.ts`)]),
  )
  for (const stale of globSync('dist/**/*.js{,.map}', { cwd: folder })) rmSync(join(folder, stale))
  const bundle = await rolldown({
    input,
    platform: 'node',
    plugins: [withoutWordLists],
    // What is bundled brings its own dependencies, whose versions may differ from those of the package.
    external: (id, importer = '') =>
      id.startsWith('node:') ||
      (outside.some(one => id === one || id.startsWith(`${one}/`)) && !importer.includes('/node_modules/')),
  })
  await bundle.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    banner: ({ moduleIds }) => licences(moduleIds),
    comments: { legal: true },
  })
  await bundle.close()
}

/** The licences of the dependencies that modules are of. */
function licences(modules) {
  const folders = modules.flatMap(module => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module)?.[0] ?? [])
  return [...new Set(folders)].map(licence).join('\n')
}

function licence(folder) {
  const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `/*! Includes ${name}:\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n*/`
}

async function packFile(folder, { 'sibyl-source': source, default: packed }) {
  const file = source.startsWith('.') ? join(folder, source) : fromDependency(folder, source)
  const target = join(folder, packed)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, gzipSync(source.startsWith('.') ? await asOneFile(file) : readFileSync(file), { level: 9 }))
  if (!source.startsWith('.')) writeFileSync(join(dirname(target), 'NOTICE'), noticeOf(folder, source))
}

/** Writes each template into one file for `sibyl new`: package managers do not pack files named `.gitignore`. */
async function bundleTemplates(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const name of templateNames) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(await readTemplateSources(root, name)))
  }
}

/** A script of several modules becomes one. */
async function asOneFile(file) {
  const text = readFileSync(file, 'utf8')
  return /\.[jt]s$/.test(file) && /^import /m.test(text) ? bundlePage(file) : text
}

function fromDependency(folder, path) {
  return createRequire(join(folder, 'package.json')).resolve(path)
}

/** Returns the notices that the license of a dependency requires. Not named `LICENSE`, which pnpm reads as the package's own. */
function noticeOf(folder, path) {
  const dependency = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
  const files = ['LICENSE', 'NOTICE', ...globSync('*.js.LICENSE.txt', { cwd: dirname(fromDependency(folder, path)) })]
  const texts = files.map(file => readFileSync(fromDependency(folder, `${dependency}/${file}`), 'utf8').trim())
  return `${dependency}\n\n${texts.join('\n\n')}\n`
}
