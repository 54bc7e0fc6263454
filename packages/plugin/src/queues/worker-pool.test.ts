import { threadId } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WorkerPool, type WorkerPoolOptions } from './worker-pool.ts'

type Job = 'thread' | 'environment' | 'loop' | 'memory' | 'throw' | 'exit' | 'steps' | 'stuck' | 'silence'

const program = `
  const { parentPort, threadId } = require('node:worker_threads')
  parentPort.on('message', job => {
    if (job === 'silence') return
    parentPort.postMessage({ kind: 'begun' })
    if (job === 'stuck') parentPort.postMessage({ kind: 'progress', value: 1 })
    if (job === 'loop' || job === 'stuck') for (;;) {}
    if (job === 'memory') { const kept = []; for (;;) kept.push(new Array(1000).fill(kept.length)) }
    if (job === 'throw') throw new Error('no tide')
    if (job === 'exit') process.exit(3)
    if (job === 'steps') for (const value of [1, 2]) parentPort.postMessage({ kind: 'progress', value })
    const value = job === 'environment' ? Object.keys(process.env).length : threadId
    parentPort.postMessage({ kind: 'result', value })
  })
  parentPort.postMessage({ kind: 'ready' })
`

const fileOf = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(toModule(code))}`)
const toModule = (code: string) =>
  `import { createRequire } from 'node:module'; const require = createRequire('file:///'); ${code}`

const makePool = (options: Partial<WorkerPoolOptions> = {}) => {
  const pool = new WorkerPool<Job, number, number>({ file: fileOf(program), memoryMb: 32, ...options })
  onTestFinished(() => pool.close())
  return pool
}
const limit = { timeLimitMs: 20_000 }

test('a thread without the environment of the oracle runs one job after the other', async () => {
  const pool = makePool()
  const first = await pool.run('thread', limit)
  expect(first).not.toBe(threadId)
  expect(await pool.run('thread', limit)).toBe(first)
  expect(await pool.run('environment', limit)).toBe(0)
  const both = await Promise.all([pool.run('thread', limit), pool.run('thread', limit)])
  expect(new Set(both).size).toBe(2)
})

test('a job may have its own thread, the next of which is started in advance', async () => {
  const pool = makePool({ jobsPerWorker: 1, prestart: true })
  const threads = [await pool.run('thread', limit), await pool.run('thread', limit), await pool.run('thread', limit)]
  expect(new Set(threads).size).toBe(3)
})

test('a job that takes too long ends its thread, and the next has another', async () => {
  const pool = makePool()
  const first = await pool.run('thread', limit)
  await expect(pool.run('loop', { timeLimitMs: 50 })).rejects.toMatchObject({
    code: 'worker_timed_out',
    message: 'The work took longer than 0.05 s. Send less.',
  })
  expect(await pool.run('thread', limit)).not.toBe(first)
})

test.each(['memory', 'throw', 'exit'] as const)(
  'a job that ends its thread (%s) is an error, and nothing else',
  async job => {
    const pool = makePool()
    await expect(pool.run(job, limit)).rejects.toMatchObject({ code: 'worker_crashed' })
    expect(await pool.run('thread', limit)).toBeGreaterThan(0)
  },
)

test('a job is ended when its signal aborts', async () => {
  const pool = makePool()
  const ending = new AbortController()
  const running = pool.run('stuck', { ...limit, signal: ending.signal, onProgress: () => ending.abort('over') })
  await expect(running).rejects.toBe('over')
  await expect(pool.run('thread', { ...limit, signal: ending.signal })).rejects.toBe('over')
})

test('reports what a job posts before its result; a report that fails ends the job', async () => {
  const pool = makePool()
  const seen: number[] = []
  await pool.run('steps', { ...limit, onProgress: value => void seen.push(value) })
  expect(seen).toEqual([1, 2])
  const failed = pool.run('steps', {
    ...limit,
    onProgress: () => {
      throw new Error('no place')
    },
  })
  await expect(failed).rejects.toThrow('no place')
})

test.each([
  ['throws', "throw new Error('no start')"],
  ['is never ready', 'setInterval(() => {}, 1000)'],
])('a thread that %s has not started', async (_, code) => {
  const pool = makePool({ file: fileOf(code), startLimitMs: 1_000 })
  await expect(pool.run('thread', limit)).rejects.toMatchObject({ code: 'worker_not_started', status: 503 })
})

test('a job that a thread does not begin has not started', async () => {
  const pool = makePool({ startLimitMs: 1_000 })
  await expect(pool.run('silence', limit)).rejects.toMatchObject({ code: 'worker_not_started' })
})

test('a thread without a job ends', async () => {
  const pool = makePool({ idleMs: 1 })
  const first = await pool.run('thread', limit)
  await vi.waitFor(async () => expect(await pool.run('thread', limit)).not.toBe(first), 60_000)
})

test('a closed pool ends running work, and accepts no more', async () => {
  const pool = makePool()
  const running = pool.run('loop', limit)
  const ended = expect(running).rejects.toMatchObject({ code: 'worker_pool_closed' })
  await pool.close()
  await ended
  await expect(pool.run('thread', limit)).rejects.toMatchObject({ code: 'worker_pool_closed' })
  await pool.close()
})
