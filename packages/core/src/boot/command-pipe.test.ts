import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const program = `
const { openCommandPipe } = await import(${JSON.stringify(new URL('./command-pipe.ts', import.meta.url).href)})
process.once('SIGTERM', () => console.error('SIGTERM'))
try {
  openCommandPipe('SIBYL_DEV')?.end('told')
} catch (error) {
  console.error(error.code)
}
`

/** Opens the pipe in a process whose descriptors 0 to 3 are pipes. */
const open = async (SIBYL_DEV: string) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { SIBYL_DEV },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [report, printed, errors, [code]] = await Promise.all([
    text(child.stdio[3] as NodeJS.ReadableStream),
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close'),
  ])
  return { told: report, printed, errors: errors.trim(), code }
}

test('the command receives messages through its pipe', async () => {
  expect(await open('3')).toMatchObject({ told: 'told', printed: '', code: 0 })
})

test.each(['0', '1', '2', '5', '99', '3.0', '-1', ' ', 'on'])(
  'rejects a descriptor that is not a pipe of the command: "%s"',
  async value => {
    expect(await open(value)).toEqual({ told: '', printed: '', errors: 'start_failed', code: 0 })
  },
)
