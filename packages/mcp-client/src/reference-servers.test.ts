import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asQuestion, connected, textsOf } from './connect-mcp.test.support.ts'
import type { StdioServer } from './index.ts'

// The official reference servers, as they are installed from the registry.
const require = createRequire(import.meta.url)
const programOf = (name: string) => join(dirname(require.resolve(`${name}/package.json`)), 'dist/index.js')
const everything = programOf('@modelcontextprotocol/server-everything')

const asProgram = (program: string, args: readonly string[] = [], env = {}): StdioServer => ({
  kind: 'stdio',
  command: process.execPath,
  args: [program, ...args],
  env,
})

const temporaryFolder = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-reference-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts server-everything over HTTP; resolves with its port once it listens. */
const listening = async (way: 'streamableHttp' | 'sse'): Promise<number> => {
  const port = await new Promise<number>(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
  const child = spawn(process.execPath, [everything, way], { env: { ...process.env, PORT: String(port) } })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise<void>(resolve => {
    child.stderr.on('data', text => /listening|running|port/i.test(String(text)) && resolve())
    child.stdout.on('data', text => /listening|running|port/i.test(String(text)) && resolve())
  })
  return port
}

describe('server-everything', () => {
  it.each([
    ['stdio', async () => asProgram(everything, ['stdio'])],
    ['streamable HTTP', async () => http(`http://127.0.0.1:${await listening('streamableHttp')}/mcp`)],
    ['SSE', async () => http(`http://127.0.0.1:${await listening('sse')}/sse`)],
  ] as const)('over %s', async (_, address) => {
    const notes = connected(await address())
    await notes.ready()
    expect(notes.server?.name).toBe('mcp-servers/everything')
    expect(notes.leftOut).toEqual([])
    expect(textsOf(await notes.call('echo', { message: 'hello' }))).toEqual(['Echo: hello'])
    expect(textsOf(await notes.call('get-sum', { a: 2, b: 3 }))[0]).toContain('5')
    expect(await notes.call('get-structured-content', { location: 'New York' })).toMatchObject({
      structured: { temperature: expect.any(Number) },
    })
    expect(textsOf(await notes.call('get-tiny-image', {}))).toContain('binary')

    const told: number[] = []
    const onProgress = ({ done }: { done: number }) => void told.push(done)
    await notes.call('trigger-long-running-operation', { duration: 0.4, steps: 2 }, { onProgress })
    expect(told).toEqual([1, 2])

    const question = asQuestion(await notes.call('trigger-elicitation-request', {}))
    expect(question.schema).toMatchObject({ type: 'object' })
    expect(textsOf(await question.answer({ action: 'decline' })).join()).toMatch(/declined/i)

    const resources = await notes.resources()
    expect(await notes.read(resources[0]?.uri ?? '')).not.toHaveLength(0)
    expect(await notes.prompt('simple-prompt', {})).not.toHaveLength(0)
  })
})

const http = (url: string) => ({ kind: 'http', url, headers: {} }) as const

it('server-filesystem reads and writes within its folder alone', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'inside'))
  writeFileSync(join(folder, 'outside.txt'), 'not for you')
  const files = connected(asProgram(programOf('@modelcontextprotocol/server-filesystem'), [join(folder, 'inside')]))
  await files.ready()
  const path = join(folder, 'inside', 'note.txt')
  expect(await files.call('write_file', { path, content: 'hello' })).toMatchObject({ isError: false })
  expect(textsOf(await files.call('read_text_file', { path }))).toEqual(['hello'])
  expect(await files.call('read_text_file', { path: join(folder, 'outside.txt') })).toMatchObject({ isError: true })
  expect(files.tools.find(({ name }) => name === 'read_text_file')?.annotations.readOnly).toBe(true)
})

it('server-memory keeps what it is told', async () => {
  const env = { MEMORY_FILE_PATH: join(temporaryFolder(), 'memory.jsonl') }
  const memory = connected(asProgram(programOf('@modelcontextprotocol/server-memory'), [], env))
  await memory.ready()
  const entities = [{ name: 'Ann', entityType: 'person', observations: ['likes tea'] }]
  await memory.call('create_entities', { entities })
  expect(await memory.call('search_nodes', { query: 'tea' })).toMatchObject({
    structured: { entities: [{ name: 'Ann' }] },
  })
})
