import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../main.ts'
import { bundledSibyl } from '../../process/bundled-sibyl.test.helper.ts'
import { fakePackages } from '../../scaffold/packages/fake-packages.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { temporaryPlace } from './new.test.helper.ts'

/** A Node of this computer that is too old, such as that of Debian. */
const older = (process.env.PATH ?? '')
  .split(delimiter)
  .map(folder => join(folder, 'node'))
  .find(node => existsSync(node) && /^v(18|20)\./.test(execFileSync(node, ['--version'], { encoding: 'utf8' })))

test.skipIf(older === undefined)(
  'an older Node reports, before any question, which one it needs and the ways to get it',
  () => {
    const place = temporaryPlace()
    const { status, stdout, stderr } = spawnSync(older ?? '', [bundledSibyl, 'new'], {
      cwd: place.work,
      encoding: 'utf8',
      env: { npm_lifecycle_script: 'create-sibyl', npm_config_user_agent: 'npm/10' },
    })
    expect([status, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/^sibyl: This is Node \d+\.\d+\.\d+; sibyl needs 22\.18 or later\.\n/)
    expect(stderr).toContain('nvm install 24), or take it from npm: npx -y -p node@24 -p create-sibyl create-sibyl\n')
  },
)

test.each([
  ['npm', { '20.20.2': true, '22.18.0': false }],
  ['pnpm', { '20.20.2': true }],
] as const)('a project of %s gets a Node of its own if that of the shell is too old', async (manager, versions) => {
  for (const [version, isOld] of Object.entries(versions)) {
    const place = temporaryPlace()
    const bin = join(place.work, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'node'), `#!/bin/sh\necho v${version}\n`, { mode: 0o755 })
    const env = {
      ...place.env,
      PATH: `/x/node_modules/.bin:${bin}`,
      SIBYL_PACKAGES: await fakePackages(place.packages),
    }
    const terminal = new FakeTerminal(env, false, 80, place.work)
    const args = ['new', 'x', '--yes', '--no-register', '--package-manager', manager]
    expect([await run(args, terminal.io), terminal.errors.includes(`Your Node ${version} cannot`)]).toEqual([0, isOld])
    const { devDependencies } = JSON.parse(readFileSync(join(place.work, 'x/package.json'), 'utf8'))
    expect(devDependencies.node).toBe(isOld ? process.versions.node : undefined)
    if (manager === 'pnpm') {
      expect(readFileSync(join(place.work, 'x/pnpm-workspace.yaml'), 'utf8')).toContain('allowBuilds:\n  node: true\n')
    }
  }
})
