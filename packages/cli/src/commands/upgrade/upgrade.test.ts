import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { run } from '../../main.ts'
import type { PackageManager } from '../../package-manager/detect-package-manager.ts'
import { fakePackages, workspaceManifests } from '../../scaffold/packages/fake-packages.test.helper.ts'
import { findPackages } from '../../scaffold/packages/find-packages.ts'
import { renderProject } from '../../scaffold/render-project.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { upgrade } from './upgrade.ts'

let root: string
let project: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sibyl upgrade ü-'))
  project = join(root, 'field-oracle')
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
})

const packed = (name: string, change?: (manifest: ReturnType<typeof workspaceManifests>[number]) => object) =>
  fakePackages(
    join(root, name),
    workspaceManifests().map(manifest => ({ ...manifest, ...change?.(manifest) })),
  )

const changedCore = (manifest: { readonly name: string }) =>
  manifest.name === '@sibyl/core' ? { description: 'newer' } : {}

const makeProject = async (packageManager: PackageManager) => {
  const env = { SIBYL_PACKAGES: await packed('old') }
  const packages = await findPackages({ template: 'minimal', network: 'devnet' }, { env, cwd: '/' }, (_, work) =>
    work(() => {}),
  )
  const files = await renderProject({
    answers: {
      folder: project,
      template: 'minimal',
      signing: 'mnemonic',
      network: 'devnet',
      profile: { name: 'Field Oracle', description: '', price: 'free', model: 'offline' },
      apiUrl: 'http://localhost:4000',
      port: 3000,
      matrixBaseUrl: undefined,
      packageManager,
      register: false,
      git: false,
    },
    mnemonic: 'abandon '.repeat(11).concat('about'),
    entityDid: undefined,
    controllers: [],
    bot: undefined,
    packages,
  })
  for (const { path, content } of files) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), content)
  }
}

const call = async (folder: string | undefined, ...args: string[]) => {
  const env = { ...process.env, ...(folder === undefined ? {} : { SIBYL_PACKAGES: folder }) }
  const terminal = new FakeTerminal(env, false, 80, project)
  const code = await run(['upgrade', ...args], terminal.io)
  return { code, text: terminal.text, errors: terminal.errors }
}

const text = (path: string) => readFileSync(join(project, path), 'utf8')
const tarballs = () => readdirSync(join(project, 'vendor')).toSorted()

describe.each(['npm', 'pnpm', 'yarn'] as const)('a project of %s', manager => {
  const overrides = manager === 'pnpm' ? 'pnpm-workspace.yaml' : 'package.json'

  test('gets the changed packages under another name, in all files, and keeps the others', async () => {
    await makeProject(manager)
    const before = tarballs()
    const { code, text: output } = await call(await packed('new', changedCore), '--no-install')
    expect([code, output]).toEqual([0, expect.stringContaining('1 package renewed:')])
    const [core] = tarballs().filter(name => !before.includes(name))
    expect(core).toMatch(/^sibyl-core-0\.1\.0-[0-9a-f]{8}\.tgz$/)
    expect(tarballs()).toEqual(before.map(name => (name === 'sibyl-core-0.1.0.tgz' ? core : name)).toSorted())
    expect(JSON.parse(text('package.json')).dependencies['@sibyl/core']).toBe(`file:vendor/${core}`)
    expect(text(overrides)).toContain(`"@sibyl/core": "file:vendor/${core}"`)
    expect(text(overrides)).not.toContain('sibyl-core-0.1.0.tgz')
    expect((await call(join(root, 'new'), '--no-install')).text).toBe('The packages are up to date.\n')
  })

  test('gets packages that it lacked, and loses removed ones', async () => {
    await makeProject(manager)
    const folder = await packed('new', manifest => {
      if (manifest.name === '@sibyl/plugin-weather') return { name: '@sibyl/plugin-sky' }
      const { '@sibyl/plugin-weather': weather, ...others } = { ...manifest.dependencies }
      return weather === undefined ? {} : { dependencies: { ...others, '@sibyl/plugin-sky': weather } }
    })
    await call(folder, '--no-install')
    expect(tarballs()).toContain('sibyl-plugin-sky-0.1.0.tgz')
    expect(tarballs()).not.toContain('sibyl-plugin-weather-0.1.0.tgz')
    expect(text(overrides)).toContain('"@sibyl/plugin-sky": "file:vendor/sibyl-plugin-sky-0.1.0.tgz"')
    expect(text(overrides)).not.toContain('plugin-weather')
  })
})

/** Turns the project into one that imports everything from `@sibyl/core`. */
const useOldImports = () => {
  const manifest = JSON.parse(text('package.json'))
  delete manifest.dependencies['@sibyl/plugin']
  delete manifest.devDependencies['@sibyl/testing']
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  mkdirSync(join(project, 'src/plugins'), { recursive: true })
  writeFileSync(join(project, 'src/plugins/tides.test.ts'), "import { testApp } from '@sibyl/core/testing'\n")
  const plugin =
    "import { coreVersion, definePlugin, type Host } from '@sibyl/core'\nimport { route } from '@sibyl/core'\n" +
    "import { cleanText, textStream, type Access } from '@sibyl/plugin'\n" +
    "import { didText, type EntityRecord, maskPhone } from '@sibyl/protocol'\n"
  writeFileSync(join(project, 'src/plugins/tides.ts'), plugin)
}

test('an older project gets @sibyl/plugin and @sibyl/testing, and its sources import them', async () => {
  await makeProject('npm')
  useOldImports()
  expect((await call(await packed('new', changedCore), '--no-install')).code).toBe(0)
  const { dependencies, devDependencies } = JSON.parse(text('package.json'))
  expect(dependencies['@sibyl/plugin']).toBe('file:vendor/sibyl-plugin-0.1.0.tgz')
  expect(devDependencies['@sibyl/testing']).toBe('file:vendor/sibyl-testing-0.1.0.tgz')
  expect(text('src/plugins/tides.test.ts')).toBe("import { testApp } from '@sibyl/testing'\n")
  expect(text('src/plugins/tides.ts').split('\n')).toEqual([
    "import { coreVersion } from '@sibyl/core'",
    "import { definePlugin, type Host } from '@sibyl/plugin'",
    "import { route } from '@sibyl/plugin'",
    "import { cleanText } from '@sibyl/plugin'",
    "import { textStream, type Access } from '@sibyl/plugin/host'",
    "import { didText } from '@sibyl/protocol'",
    "import { type EntityRecord } from '@sibyl/plugin-entities/records'",
    "import { maskPhone } from '@sibyl/plugin/phones'",
    '',
  ])
})

test('a failed install keeps the imports of the sources', async () => {
  await makeProject('npm')
  useOldImports()
  const env = { SIBYL_PACKAGES: await packed('new', changedCore), PATH: root }
  expect(await run(['upgrade'], new FakeTerminal(env, false, 80, project).io)).toBe(1)
  expect(text('src/plugins/tides.test.ts')).toBe("import { testApp } from '@sibyl/core/testing'\n")
})

test('a failed install changes nothing', async () => {
  await makeProject('npm')
  const [before, files] = [text('package.json'), tarballs()]
  const env = { SIBYL_PACKAGES: await packed('new', changedCore), PATH: root }
  const terminal = new FakeTerminal(env, false, 80, project)
  expect(await run(['upgrade'], terminal.io)).toBe(1)
  expect(terminal.errors).toContain('npm is not installed')
  expect([text('package.json'), tarballs()]).toEqual([before, files])
})

const minor = (manifest: ReturnType<typeof workspaceManifests>[number]) => ({
  version: '0.2.0',
  dependencies: Object.fromEntries(
    Object.entries(manifest.dependencies ?? {}).map(([name, range]) => [
      name,
      name.startsWith('@sibyl/') ? '0.2.0' : range,
    ]),
  ),
})

/** Puts a program in the place of npm that writes down what it is asked, and fails for one of the scripts. */
const npmThatFails = (script: string | undefined) => {
  const path = join(root, 'bin')
  mkdirSync(path)
  const body =
    script === undefined ? '' : `if [ "$2" = ${script} ]; then echo "src/main.ts(3,1): error TS2305"; exit 1; fi`
  writeFileSync(join(path, 'npm'), `#!/bin/sh\necho "$*" >> "${root}/called"\n${body}\n`, { mode: 0o755 })
  return `${path}:/bin:/usr/bin`
}

/** A project with a plugin as the guide says, and a package.json in the order of its owner. */
const makeProjectWithPlugin = async () => {
  await makeProject('npm')
  expect(await run(['plugin', 'new', 'tides'], new FakeTerminal({}, false, 80, project).io)).toBe(0)
  const { scripts, dependencies, ...others } = JSON.parse(text('package.json'))
  const { zod, ...ours } = dependencies
  const ordered = { scripts, dependencies: { zod, ...ours }, peerDependencies: { '@sibyl/core': '^0.1.0' }, ...others }
  writeFileSync(join(project, 'package.json'), `${JSON.stringify(ordered, undefined, '\t')}\n`)
}

/** The lines that differ, as they are now. */
const changedLines = (before: string, after: string) =>
  after.split('\n').filter(line => !before.split('\n').includes(line))

test('across a minor version it changes the ranges of core, keeps the order, and runs check and test', async () => {
  await makeProjectWithPlugin()
  const [manifest, plugin] = [text('package.json'), text('src/plugins/tides.ts')]
  const line = plugin.split('\n').findIndex(one => one.includes('core:')) + 1
  const env = { SIBYL_PACKAGES: await packed('new', minor), PATH: npmThatFails(undefined) }
  const terminal = new FakeTerminal(env, false, 80, project)
  expect([await run(['upgrade'], terminal.io), terminal.errors]).toEqual([0, ''])
  expect(terminal.text).toContain(`  src/plugins/tides.ts:${line}  ^0.1.0 -> ^0.2.0\n`)
  expect(terminal.text).toMatch(/Passed: check, test\.\n\nNext: restart the oracle\.\n$/)
  expect(readFileSync(join(root, 'called'), 'utf8')).toBe('install\nrun check\nrun test\n')
  expect(changedLines(plugin, text('src/plugins/tides.ts'))).toEqual(["    core: '^0.2.0',"])
  expect(text('package.json').replaceAll('0.2.0', '0.1.0')).toBe(manifest)
  expect(JSON.parse(text('package.json')).peerDependencies).toEqual({ '@sibyl/core': '^0.2.0' })
  expect(tarballs().every(name => name.endsWith('-0.2.0.tgz'))).toBe(true)
})

test.each(['check', 'test'])('restores the project if %s fails, unless --keep is set', async script => {
  await makeProjectWithPlugin()
  writeFileSync(join(project, 'package-lock.json'), '{}')
  const state = () => [text('package.json'), text('package-lock.json'), text('src/plugins/tides.ts'), tarballs()]
  const before = state()
  const env = { SIBYL_PACKAGES: await packed('new', minor), PATH: npmThatFails(script) }
  const failed = new FakeTerminal(env, false, 80, project)
  expect(await run(['upgrade'], failed.io)).toBe(1)
  expect(failed.text).toBe('')
  expect(failed.errors).toContain(`npm run ${script} fails with the new packages:\nsrc/main.ts(3,1): error TS2305\n`)
  expect(failed.errors).toContain('The project is as before the upgrade.')
  expect(state()).toEqual(before)
  expect(readFileSync(join(root, 'called'), 'utf8')).toMatch(/install\n$/)

  const kept = new FakeTerminal(env, false, 80, project)
  expect(await run(['upgrade', '--keep'], kept.io)).toBe(1)
  expect(kept.errors).toContain('Fix the project until npm run check and npm run test pass.')
  expect(text('src/plugins/tides.ts')).toContain("core: '^0.2.0'")
  expect(tarballs().every(name => name.endsWith('-0.2.0.tgz'))).toBe(true)
})

test('--dry-run changes nothing, and --json prints one object', async () => {
  await makeProject('npm')
  const [before, files] = [text('package.json'), tarballs()]
  const { code, text: output } = await call(await packed('new', changedCore), '--dry-run', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(output)).toMatchObject({
    dryRun: true,
    changes: [{ name: '@sibyl/core', from: 'sibyl-core-0.1.0.tgz' }],
    removed: ['sibyl-core-0.1.0.tgz'],
  })
  expect([text('package.json'), tarballs()]).toEqual([before, files])
})

test('the installed command of the project reports that it has nothing newer', async () => {
  await makeProject('npm')
  const { io } = new FakeTerminal({}, false, 80, project)
  const own = join(project, 'node_modules/@sibyl/cli/dist')
  await expect(upgrade(undefined, { install: true }, io, own)).rejects.toMatchObject({ code: 'usage_invalid' })
})

test('reports a folder without a project, and one without packages in vendor', async () => {
  mkdirSync(project)
  expect(await call(undefined)).toMatchObject({ code: 3, errors: expect.stringContaining('There is no project here') })
  writeFileSync(join(project, 'oracle.config.json'), '{}')
  expect(await call(undefined)).toMatchObject({ code: 3, errors: expect.stringContaining('package.json is missing') })
  writeFileSync(join(project, 'package.json'), '{"dependencies":{"@sibyl/core":"0.1.0"}}')
  expect(await call(undefined)).toMatchObject({ code: 3, errors: expect.stringContaining('no dependency in vendor/') })
  expect(existsSync(join(project, 'vendor'))).toBe(false)
})
