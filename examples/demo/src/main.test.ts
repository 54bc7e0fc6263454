import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))

const start = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-demo-test-'))
  const { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, ['--conditions=sibyl-source', program], {
    env: {
      PATH,
      NODE_OPTIONS,
      NODE_COMPILE_CACHE,
      TMPDIR: folder,
      HOME: folder,
      CI: 'true',
      OPENAI_API_KEY: 'never-used',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const shown = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', text => {
      shown[name] += text
    })
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, ...shown }))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  return { child, ended, folder }
}

test('shows every step of the tour, then ends well and leaves nothing behind', async () => {
  const { ended, folder } = await start()
  const { code, stdout, stderr } = await ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.replace(/\s+/g, ' ')).toContain('CI is set, so a local provider stands in for it')
  expect(stdout).toMatch(/^\[boot\] ready/m)
  expect(stdout).toContain('← 200  status ok, database connected')
  expect(stdout).toContain('"city": "Berlin", "temp_c": 14')
  const kinds = 'list_capabilities {} load_capability {"names":["weather"]} get_current_weather {"city":"Berlin"}'
  for (const words of kinds.split(/(?<=}) /)) expect(stdout).toContain(words)
  expect(stdout).toMatch(/text +It is 14 °C in Berlin with slight rain\./)
  expect(stdout).toMatch(/--- the connection is cut ---\n +→ GET \/chat\/tour\/stream {2}Last-Event-ID: \S+:5\n +6 /)
  expect(stdout).toMatch(/21 events, each once and in order: no gap, no repeat\./)
  expect(stdout).toContain('← 401  ucan_missing')
  expect(stdout).toMatch(/→ dial \*1234#\n +┌─+┐\n.*\n +│ 1\. Know More +│\n/)
  expect(stdout).toMatch(/→ reply \*\n +┌─+┐\n(.*\n){1,4} +└─+ \d+\/182 ┘\n/)
  expect(stdout).not.toContain('\u001b')
  expect(await readdir(folder)).toEqual([])
})

test('Ctrl-C in the middle ends it, and leaves nothing behind either', { tags: 'long' }, async () => {
  const { child, ended, folder } = await start()
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  const { code, stderr } = await ended
  expect({ code, stderr }).toEqual({ code: 130, stderr: '\nStopped.\n' })
  expect(await readdir(folder)).toEqual([])
})

test('ends when its reader is gone, and leaves nothing behind', async () => {
  const { child, ended, folder } = await start()
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const { code, stderr } = await ended
  expect({ code, stderr }).toEqual({ code: 130, stderr: '\nStopped.\n' })
  expect(await readdir(folder)).toEqual([])
})
