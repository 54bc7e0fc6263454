import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Runs `npm create sibyl`, from source. */
const create = (...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise(resolve => {
    const child = execFile(
      process.execPath,
      ['--conditions=sibyl-source', join(import.meta.dirname, 'bin.ts'), ...args],
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
