import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const file = (name: string) => new URL(name, import.meta.url).href
const script = `
  const { createPinoLogger } = await import('${file('./pino-logger.ts')}')
  const { standardOutput } = await import('${file('./standard-output.ts')}')
  const log = createPinoLogger()
  const out = standardOutput()
  for (let line = 0; line < 2000; line += 2) {
    log.info('line ' + line, { text: 'x'.repeat(100) })
    out.write('line ' + (line + 1) + '\\n')
  }
  process.exit(3)`
const args = ['--no-warnings', '--conditions=sibyl-source', '--input-type=module', '--eval', script]

test('everything written is output in order before the process ends', async () => {
  const { code, stdout } = (await promisify(execFile)(process.execPath, args, { maxBuffer: 50_000_000 }).catch(
    (error: { code: number; stdout: string }) => error,
  )) as { code?: number; stdout: string }
  expect(code).toBe(3)
  const numbers = [...stdout.matchAll(/line (\d+)/g)].map(match => Number(match[1]))
  expect(numbers).toEqual(Array.from({ length: 2_000 }, (_, line) => line))
})

test('a reader that closes the stream causes no crash', async () => {
  const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let complaint = ''
  writer.stderr.on('data', part => {
    complaint += part
  })
  writer.stdout.once('data', () => writer.stdout.destroy())
  const [code] = await once(writer, 'close')
  expect([code, complaint]).toEqual([3, ''])
})
