// Packs every published package into a folder, as `pnpm publish` would: node scripts/pack-packages.mjs <folder> [--built]
// The same sources give the same bytes. They are built first, unless --built says that they are, and not checked: one program
// for all types takes a sixth of the time of `tsc -b`. A folder that is there is
// left as it is; else all of it appears at once, and of two that pack at the same time one waits for the other.
import { execFile, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [given, built] = process.argv.slice(2)
if (given === undefined || (built !== undefined && built !== '--built')) {
  console.error('Which folder? Use node scripts/pack-packages.mjs <folder> [--built]')
  process.exit(2)
}
const folder = resolve(given)
const cache = join(root, 'node_modules/.cache/sibyl-packages')

/** Folders of sources whose types no package needs. */
const notPacked = ['packages/console/src/app', 'packages/core/src/testing', 'packages/operations/src/testing']

mkdirSync(dirname(folder), { recursive: true })
mkdirSync(cache, { recursive: true })
// A lock that ends with the process that holds it.
const lock = new DatabaseSync(join(cache, 'lock.db'), { timeout: 10 * 60_000 })
lock.exec('BEGIN EXCLUSIVE')
if (!existsSync(folder)) await pack()
lock.exec('COMMIT')

async function pack() {
  if (!built) {
    step('compiling and bundling')
    const bundle = promisify(execFile)(process.execPath, [join(root, 'scripts/bundle-packages.mjs')])
    await Promise.all([emitTypes(), bundle]).catch(({ message, stdout = '', stderr = '' }) => {
      console.error(`${stdout}${stderr}`.trim() || message)
      process.exit(1)
    })
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

/** Emits the types of all packages by one program, without a check, and copies them into their `dist` folders. */
async function emitTypes() {
  const types = join(cache, 'types')
  rmSync(types, { recursive: true, force: true })
  mkdirSync(types)
  const config = join(types, 'tsconfig.json')
  const compilerOptions = {
    ...{ noCheck: true, composite: false, incremental: false, tsBuildInfoFile: null },
    ...{ rootDir: root, outDir: types },
  }
  const include = published().map(path => join(root, path, 'src'))
  const exclude = ['packages/**/*.test.*', ...notPacked].map(path => join(root, path))
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include, exclude }),
  )
  await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config])
  for (const path of published()) {
    const from = join(types, path, 'src')
    const exclude = notPacked.map(folder => `${relative(join(path, 'src'), folder)}/**`)
    for (const file of globSync('**/*.d.ts', { cwd: from, exclude })) {
      const target = join(root, path, 'dist', file)
      mkdirSync(dirname(target), { recursive: true })
      copyFileSync(join(from, file), target)
    }
  }
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
