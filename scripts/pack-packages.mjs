// Packs every published package into a folder, as `pnpm publish` would: node scripts/pack-packages.mjs <folder> [--built]
// The same sources give the same bytes. They are built first, unless --built says that they are. A folder that is there is
// left as it is; else all of it appears at once, and of two that pack at the same time one waits for the other.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [given, built] = process.argv.slice(2)
if (given === undefined || (built !== undefined && built !== '--built')) {
  console.error('Which folder? Use node scripts/pack-packages.mjs <folder> [--built]')
  process.exit(2)
}
const folder = resolve(given)
const cache = join(root, 'node_modules/.cache/sibyl-packages')

mkdirSync(dirname(folder), { recursive: true })
mkdirSync(cache, { recursive: true })
// A lock that ends with the process that holds it.
const lock = new DatabaseSync(join(cache, 'lock.db'), { timeout: 10 * 60_000 })
lock.exec('BEGIN EXCLUSIVE')
if (!existsSync(folder)) pack()
lock.exec('COMMIT')

function pack() {
  if (!built) {
    step('compiling the types of the packages')
    run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-b', ...published())
    step('bundling')
    run(process.execPath, join(root, 'scripts/bundle-packages.mjs'))
  }
  copyDocs()
  const draft = `${folder}.${process.pid}`
  try {
    mkdirSync(draft)
    const filters = published().flatMap(path => ['--filter', `./${path}`])
    const [pnpm, ...before] = findPnpm()
    step(`packing ${published().length} packages`)
    run(pnpm, ...before, '--recursive', ...filters, 'pack', '--pack-destination', draft)
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  if (dirname(folder) === cache) dropOld()
}

/** Copies the guide and the reference into the command, so that they are on the disk of each project. */
function copyDocs() {
  const target = join(root, 'packages/cli/dist/docs')
  rmSync(target, { recursive: true, force: true })
  for (const path of globSync('{guide,reference}/**/*.md', { cwd: join(root, 'docs') })) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    copyFileSync(join(root, 'docs', path), join(target, path))
  }
}

/** The folders of the published packages, relative to the checkout. */
function published() {
  return ['packages', 'packages/plugins', 'packages/adapters']
    .flatMap(room => readdirSync(join(root, room)).map(name => `${room}/${name}`))
    .filter(path => existsSync(join(root, path, 'package.json')))
}

/** The pnpm that this was started by, else the one that npm brings. */
function findPnpm() {
  const caller = process.env.npm_execpath ?? ''
  if (!/pnpm[^/\\]*$/.test(caller)) return ['npx', '--prefer-offline', '-y', 'pnpm@12']
  return /\.[cm]?js$/.test(caller) ? [process.execPath, caller] : [caller]
}

/** Removes packages of earlier sources after an hour, in which another process may still copy them. */
function dropOld() {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    if (path !== folder && !name.startsWith('lock.db') && Date.now() - statSync(path).mtimeMs > 3_600_000) {
      rmSync(path, { recursive: true, force: true })
    }
  }
}

/** Prints the name of the running step. */
function step(text) {
  console.log(`step: ${text}`)
}

function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8' })
  if (status === 0) return
  console.error(error?.message ?? `${stdout}${stderr}`.trim())
  process.exit(1)
}
