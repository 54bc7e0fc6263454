/** @module-tag long */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asQuestion, connected, textsOf } from './connect-mcp.test.support.ts'
import type { StdioServer } from './index.ts'

// The official reference servers, as installed from the registry.
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

/** A module that has a process say the port that it was given. */
const printPort = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net'
  const { emit } = Server.prototype
  Server.prototype.emit = function (event, ...rest) {
    if (event === 'listening') console.error('given port ' + this.address().port + '.')
    return Reflect.apply(emit, this, [event, ...rest])
  }`)}`

/** Starts server-everything over HTTP on a free port; resolves with it once the server listens. */
const listening = async (way: 'streamableHttp' | 'sse'): Promise<number> => {
  const args = ['--import', printPort, everything, way]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for await (const text of child.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text
    const port = /given port (\d+)\./.exec(output)?.[1]
    if (port === undefined) continue
    child.stderr.resume()
    return Number(port)
  }
  throw new Error(`server-everything ended before it listened: ${output}`)
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

    const reported: number[] = []
    const onProgress = ({ done }: { done: number }) => void reported.push(done)
    await notes.call('trigger-long-running-operation', { duration: 0.4, steps: 2 }, { onProgress })
    expect(reported).toEqual([1, 2])

    const question = asQuestion(await notes.call('trigger-elicitation-request', {}))
    expect(question.schema).toMatchObject({ type: 'object' })
    expect(textsOf(await question.answer({ action: 'decline' })).join()).toMatch(/declined/i)

    const resources = await notes.resources()
    expect(await notes.read(resources[0]?.uri ?? '')).not.toHaveLength(0)
    expect(await notes.prompt('simple-prompt', {})).not.toHaveLength(0)
  })
})

const http = (url: string) => ({ kind: 'http', url, headers: {} }) as const

it('server-filesystem reads and writes only within its folder', async () => {
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

it('server-memory stores facts', async () => {
  const env = { MEMORY_FILE_PATH: join(temporaryFolder(), 'memory.jsonl') }
  const memory = connected(asProgram(programOf('@modelcontextprotocol/server-memory'), [], env))
  await memory.ready()
  const entities = [{ name: 'Ann', entityType: 'person', observations: ['likes tea'] }]
  await memory.call('create_entities', { entities })
  expect(await memory.call('search_nodes', { query: 'tea' })).toMatchObject({
    structured: { entities: [{ name: 'Ann' }] },
  })
})
