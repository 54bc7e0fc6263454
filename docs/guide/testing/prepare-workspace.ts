import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { runSibyl, sibylProgram } from './serve-sibyl.ts'

const root = join(import.meta.dirname, '../../..')
const quickstart = 'examples/quickstart'

/** The dependencies that a project has after `npm install`. */
const projectModules = 'project/node_modules'

/** Vite is a dependency of Vitest here. */
const vitestRequire = createRequire(realpathSync(join(root, 'node_modules/vitest/package.json')))

const bin = `node ${root}/packages/cli/dist/bin.js`

/**
 * `npx -y pnpm@12 <command>` as the launcher runs it, with the quickstart of the workspace; `npx sibyl` in a project. Programs use
 * the bundled packages.
 */
const npx = (folder: string) => `#!/bin/sh
if [ "$1" = sibyl ]; then shift; npm_config_user_agent=npm/11 exec ${folder}/bin/sibyl "$@"; fi
if [ "$1" = vite ]; then shift; exec node node_modules/vite/bin/vite.js "$@"; fi
shift 2
command=$1
shift
case $command in
  start | dev) npm_lifecycle_event=start npm_lifecycle_script=scripts/launch.mjs exec node ${folder}/${quickstart}/src/main.ts "$@" ;;
  sibyl) npm_lifecycle_event=sibyl npm_lifecycle_script=scripts/launch.mjs exec ${folder}/bin/sibyl "$@" ;;
  test) ${noteTests(folder, `${folder}/$1`)} ;;
  exec) [ "$1 $2" = 'node --conditions=sibyl-source' ] && shift 2 && exec node "$@" ;;
  *) echo "The guide's tests do not know: $command" >&2; exit 2 ;;
esac
`

/** A command that adds a path with tests to those that run after the pages; fails if there are none. */
const noteTests = (folder: string, path: string) =>
  `find "${path}" -name '*.test.ts' | grep -q . && echo "${path}" >> ${join(dirname(folder), 'tests')}`

/** Runs the tests that pages run in their workspaces in `folder`, once for all pages. Returns the output if one fails. */
export const runShownTests = async (folder: string): Promise<string | undefined> => {
  const config = join(folder, 'vitest.config.mjs')
  writeFileSync(config, testConfig('**/*.test.ts'))
  const tests = readFileSync(join(folder, 'tests'), 'utf8').trim().split('\n')
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--config', config]
  const run = promisify(execFile)(process.execPath, [...vitest, ...tests], { cwd: folder })
  return run.then(
    () => undefined,
    error => error.stdout + error.stderr,
  )
}

/** npm in a project that `sibyl new` made, with the packages of this checkout in place of those of `vendor`. */
const npm = (folder: string) => `#!/bin/sh
case "$*" in
  install*) [ -e node_modules ] || ln -s ${folder}/${projectModules} node_modules ;;
  'run dev') npm_config_user_agent=npm/11 exec ${bin} dev ;;
  start) exec node src/main.ts ;;
  test*) ${noteTests(folder, '$PWD/$' + '{3:-src}')} ;;
  *) echo "The guide's tests do not know: npm $*" >&2; exit 2 ;;
esac
`

/** Returns the configuration of a project's tests. Node loads the packages itself, with its compile cache, as if they were installed. */
export const testConfig = (include: string) => `export default {
  test: {
    include: ['${include}'],
    server: { deps: { external: [/\\/(packages|plugins|adapters)\\/[^/]+\\/dist\\//] } },
    isolate: false,
    maxWorkers: 1,
    testTimeout: 60_000,
  },
}
`

/**
 * Makes a copy of the quickstart in an empty folder as in a checkout, with the commands that the guide uses in `bin`.
 * It uses the packages of this checkout, and the machine's curl if there is one: starting Node takes 30 times as long.
 */
export const prepareWorkspace = (folder: string): void => {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  for (const path of ['src', 'oracle.config.json', 'package.json', '.env.example']) {
    cpSync(join(root, quickstart, path), join(folder, quickstart, path), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  link(join(root, quickstart, 'node_modules'), join(folder, quickstart, 'node_modules'))
  symlinkSync(process.execPath, join(folder, 'bin/node'))
  writeFileSync(join(folder, 'bin/npx'), npx(folder), { mode: 0o755 })
  writeFileSync(join(folder, 'bin/npm'), npm(folder), { mode: 0o755 })
  linkProjectModules(join(folder, projectModules))
  const { PATH = '' } = process.env
  const real = PATH.split(delimiter).find(path => existsSync(join(path, 'curl')))
  // As in a terminal, where curl shows no progress.
  const program = real === undefined ? `node ${join(import.meta.dirname, 'curl.mjs')}` : `'${join(real, 'curl')}' -sS`
  const curl = `#!/bin/sh\nexec ${program} "$@"\n`
  writeFileSync(join(folder, 'bin/curl'), curl, { mode: 0o755 })
  const sibyl = real === undefined ? `#!/bin/sh\nexec ${bin} "$@"\n` : sibylProgram(folder, join(real, 'curl'))
  writeFileSync(join(folder, 'bin/sibyl'), sibyl, { mode: 0o755 })
}

/** Links the dependencies of all templates, and those that the guide adds to a project. */
const linkProjectModules = (to: string): void => {
  for (const project of ['templates/minimal', 'templates/ussd', 'templates/weather', quickstart]) {
    const from = join(root, project, 'node_modules')
    for (const name of globSync(['[!.@]*', '@*/*'], { cwd: from })) link(join(from, name), join(to, name))
  }
  link(join(root, 'packages/client/node_modules/ai'), join(to, 'ai'))
  link(join(root, 'packages/plugins/credentials/node_modules/@digitalbazaar'), join(to, '@digitalbazaar'))
  link(dirname(vitestRequire.resolve('vite/package.json')), join(to, 'vite'))
  link(
    join(root, 'examples/field-research/node_modules/@modelcontextprotocol/server'),
    join(to, '@modelcontextprotocol/server'),
  )
}

const link = (target: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path)) symlinkSync(target, path)
}

/** Makes a project with `sibyl new` in a folder, with the home of its developer; each page works on a copy of both. */
export const makeProject = async (folder: string): Promise<void> => {
  mkdirSync(folder)
  const none = { write: () => true }
  const env = {
    ...process.env,
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    npm_config_user_agent: 'npm/11',
    SIBYL_HOME: join(folder, 'home'),
    SIBYL_PACKAGES: await preparePackages(join(folder, 'packages')),
  }
  await runSibyl(['new', 'field-oracle', '--yes', '--no-register'], { cwd: folder, env, stdout: none, stderr: none })
}

/** Bundles the packages, unless they are as they were bundled last: an oracle starts in half the time. */
export const bundlePackages = async (): Promise<void> => {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/bundle-packages.mjs'), '--if-changed'])
}

/** Tarballs for `sibyl new`, at once: each holds nothing but a `package.json`. */
export const preparePackages = async (folder: string): Promise<string> => {
  const helper: { fakePackages(into: string): Promise<string> } = await import(
    join(root, 'packages/cli/src/scaffold/packages/fake-packages.test.helper.ts')
  )
  return helper.fakePackages(folder)
}

/** A port in the place of 3000 that nobody else is given before this process ends. */
export const reservePort = async (): Promise<number> => {
  const helper: { reservePort(): Promise<number> } = await import(join(root, 'packages/testing/src/reserve-port.ts'))
  return helper.reservePort()
}
