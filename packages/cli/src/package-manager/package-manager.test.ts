import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { detectPackageManager } from './detect-package-manager.ts'
import { installProject } from './install-project.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sibyl install ü-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
})

test.each([
  ['npm/10.8.2 node/v24.21.0 linux x64', 'npm'],
  ['pnpm/12.0.0 npm/? node/v24.21.0 linux x64', 'pnpm'],
  ['yarn/1.22.22 npm/? node/v24.21.0 linux x64', 'yarn'],
  ['other/1.0.0', 'npm'],
])('called by %s it is %s', async (agent, manager) => {
  expect(await detectPackageManager(join(root, 'x'), { npm_config_user_agent: agent })).toBe(manager)
})

test('the lockfile of a parent folder decides, unless the caller is known', async () => {
  mkdirSync(join(root, 'packages'))
  writeFileSync(join(root, 'pnpm-lock.yaml'), '')
  const folder = join(root, 'packages', 'x')
  expect(await detectPackageManager(folder, {})).toBe('pnpm')
  expect(await detectPackageManager(folder, { npm_config_user_agent: 'yarn/4.0.0' })).toBe('yarn')
})

const never = new AbortController().signal

/** Replaces npm by a program. */
const npmThat = (script: string) => {
  writeFileSync(join(root, 'npm'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(root, 'npm'), 0o755)
  return { PATH: `${root}:/bin:/usr/bin` }
}

test('shows its first error line', async () => {
  const env = npmThat(
    'echo working\necho "npm error 404 no such package" >&2\necho "npm error A complete log is in x" >&2\nexit 1',
  )
  await expect(installProject(root, 'npm', env, never)).rejects.toMatchObject({
    code: 'install_failed',
    message: 'npm install failed: npm error 404 no such package',
    remedy: 'The project was written. To try again: npm install',
  })
})

test('reports a package manager that does not exist', async () => {
  await expect(installProject(root, 'yarn', { PATH: root }, never)).rejects.toMatchObject({
    message: 'yarn is not installed.',
  })
})

test('installs what development needs, also in an environment of production', async () => {
  const env = { ...npmThat('test "$NODE_ENV" = development'), NODE_ENV: 'production' }
  await installProject(root, 'npm', env, never)
})

test('runs in the project', async () => {
  await installProject(root, 'npm', npmThat(`test "$1" = install && test "$(pwd)" = "${root}"`), never)
})
