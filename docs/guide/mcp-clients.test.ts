/** @module-tag long */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { mcpServer } from '@sibyl/adapter-mcp'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { codeBlocks } from './testing/code-blocks.ts'

const byProgram = z.object({ command: z.literal('npx'), args: z.array(z.string()) })
const byAddress = z.object({ url: z.string(), headers: z.record(z.string(), z.string()) })
const server = z.object({ oracle: z.union([byProgram, byAddress]) })
const settings = z.union([z.object({ mcpServers: server }), z.object({ servers: server })])

const page = readFileSync(new URL('mcp-clients.md', import.meta.url), 'utf8')
const shown = codeBlocks(page).filter(({ language }) => language === 'json')
const bin = fileURLToPath(new URL('../../packages/cli/src/bin.ts', import.meta.url))

test('the page has settings for Claude Desktop, Cursor and VS Code', () => {
  expect(shown).toHaveLength(3)
})

test.each(shown)('the settings of line $line connect a client', async ({ text }) => {
  const [, key = ''] = page.match(/^ORACLE_API_KEYS=(.+)$/m) ?? []
  const oracle = await testApp({
    plugins: [],
    adapters: [mcpServer()],
    env: { ORACLE_API_KEYS: key, HOST: '127.0.0.1', PORT: '0' },
  })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  const { url } = await oracle.app.listen()
  const read = settings.parse(JSON.parse(text.replaceAll('http://localhost:4000', url)))
  const { oracle: connection } = 'servers' in read ? read.servers : read.mcpServers
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  onTestFinished(() => client.close())
  if ('url' in connection) {
    const { headers } = connection
    await client.connect(new StreamableHTTPClientTransport(new URL(connection.url), { requestInit: { headers } }))
  } else {
    const home = await mkdtemp(join(tmpdir(), 'sibyl-guide-mcp-'))
    onTestFinished(() => rm(home, { recursive: true, force: true }))
    const [option, , name, ...args] = connection.args
    expect([option, name]).toEqual(['--prefix', 'sibyl'])
    const env = {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      SIBYL_HOME: home,
    }
    const command = { command: process.execPath, args: ['--conditions=sibyl-source', bin, ...args], env }
    await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }))
  }
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('ask_oracle')
})
