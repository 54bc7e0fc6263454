import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createOpenMeteo } from '../open-meteo.ts'

const program = fileURLToPath(new URL('./local-provider-process.ts', import.meta.url))
const run = (...args: string[]) => {
  const provider = spawn(process.execPath, ['--conditions=sibyl-source', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    provider.kill('SIGKILL')
  })
  return provider
}

test('prints its URL, answers, and ends on SIGTERM', async () => {
  const provider = run()
  const [line] = await once(provider.stdout, 'data')
  const place = await createOpenMeteo(String(line).trim()).findPlace('Berlin', AbortSignal.timeout(60_000))
  expect(place?.name).toBe('Berlin')
  provider.kill('SIGTERM')
  const [exitCode] = await once(provider, 'exit')
  expect(exitCode).toBe(0)
})

test('misbehaves as configured, and kill -9 does not affect its caller', async () => {
  const provider = run('--mode', 'slow')
  const [line] = await once(provider.stdout, 'data')
  const url = String(line).trim()
  await expect(createOpenMeteo(url).findPlace('Berlin', AbortSignal.timeout(100))).rejects.toMatchObject({
    code: 'weather_timeout',
  })
  provider.kill('SIGKILL')
  await once(provider, 'exit')
  await expect(createOpenMeteo(url).findPlace('Berlin', AbortSignal.timeout(60_000))).rejects.toMatchObject({
    code: 'weather_unavailable',
  })
})

test('rejects a mode it does not know', async () => {
  const provider = run('--mode', 'angry')
  const [complaint, [exitCode]] = await Promise.all([text(provider.stderr), once(provider, 'exit')])
  expect(complaint).toContain('--mode angry is unknown')
  expect(exitCode).toBe(2)
})
