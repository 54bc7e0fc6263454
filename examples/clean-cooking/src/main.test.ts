import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))

test('walks from a protocol to a verified credential, and leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-clean-cooking-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, ['--conditions=sibyl-source', program], {
    env: { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE, TMPDIR: folder, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const shown = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', text => {
      shown[name] += text
    })
  }
  const [code] = await once(child, 'close')
  expect({ code, stderr: shown.stderr }).toEqual({ code: 0, stderr: '' })
  for (const line of [
    /^ {3}Device +did:web:localhost%3A\d+:entities:\w{26} {3}Physical Twins$/m,
    /^ {3}\/properties\/fuel +Must be one of: pellets, ethanol, electricity\.$/m,
    /^ {3}\/properties\/serial +Is missing/m,
    /^ {3}Steps +submitted → evaluating → approved$/m,
    /^ {3}CleanCookingCredential +issued by did:web:localhost%3A\d+$/m,
    /^ {3}Graph +becomes, generates, implements, operator, produces, subDomainOf, verifier, verifies$/m,
    /^ {3}As issued +verified/m,
    /^ {3}Altered +refused, signature/m,
    /^ {3}Revoked +refused, status/m,
  ]) {
    expect(shown.stdout).toMatch(line)
  }
  expect(await readdir(folder)).toEqual([])
})
