import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Runs `npm create sibyl`, from source. */
const create = (...args: string[]): ReturnType<typeof createWith> =>
  createWith({ npm_config_user_agent: '', npm_lifecycle_script: '' }, ...args)

const createWith = (
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise(resolve => {
    const child = execFile(
      process.execPath,
      ['--conditions=sibyl-source', join(import.meta.dirname, 'bin.ts'), ...args],
      { env: { ...process.env, ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })

test('is sibyl new', async () => {
  const { code, stdout } = await create('--help')
  expect(code).toBe(0)
  expect(stdout).toContain('Usage: sibyl new [options] [dir]')
})

test('fails as sibyl new does', async () => {
  const { code, stderr } = await create('field-oracle', '--template', 'nothing')
  expect(code).toBe(2)
  expect(stderr).toContain('minimal, weather, ussd, twins')
})

test.each([
  ['npm/11.0.0', 'npm create sibyl -- x --auth'],
  ['pnpm/12.0.0', 'pnpm create sibyl x --auth'],
])('by %s what is missing is a command that begins as it was called', async (agent, words) => {
  const { code, stderr } = await createWith({ npm_config_user_agent: agent, npm_lifecycle_script: "'pnpm'" }, 'x')
  expect(code).toBe(2)
  expect(stderr).toContain(`\n         ${words}`)
})
