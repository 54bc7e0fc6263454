/**
 * @module-tag long
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mcpProgram } from '@sibyl/mcp-client/testing'
import { mcp } from '@sibyl/plugin-mcp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { chromiumPath, useConsole } from '../../testing/console.test.support.ts'

const add = { name: 'add', description: 'Adds a <b>note</b>.' }
const list = { name: 'list', description: 'Lists notes.' }

describe.skipIf(chromiumPath === undefined)('MCP servers in Chromium', () => {
  const { startOracle, open } = useConsole()

  /** An oracle with a program that speaks MCP, and with one that ends at once. */
  const start = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'console-mcp-'))
    const program = mcpProgram({ tools: [add, list] })
    onTestFinished(async () => {
      program.remove()
      await rm(folder, { recursive: true })
    })
    const MCP_SERVERS_FILE = join(folder, 'mcp.json')
    const { kind: _, ...notes } = program.address
    const stock = { command: process.execPath, args: ['-e', 'process.exit(1)'] }
    await writeFile(MCP_SERVERS_FILE, JSON.stringify({ mcpServers: { notes, stock } }))
    const oracle = await startOracle({ plugins: [mcp()], env: { MCP_SERVERS_FILE } })
    const servers = async () => (await oracle.operator('/mcp/servers')).text()
    await expect.poll(servers, { timeout: 60_000 }).toMatch(/"ready".*"degraded"/)
    return { program, oracle, servers }
  }

  test('the operator reads the tools of a server, connects it again and confirms a changed tool', async () => {
    const { program, oracle, servers } = await start()
    const first = program.pid()
    const { page, visit, auditEverywhere, speak, audit } = await open(oracle, { path: '/operations' })
    const section = page.getByRole('region', { name: 'MCP servers', exact: true })
    const row = section.getByRole('row', { name: /notes/ })
    await row.getByText('Ready').waitFor()
    await section.getByRole('row', { name: /stock/ }).getByText('Degraded').waitFor()
    await row.getByRole('button', { name: '2 tools' }).click()
    await section.getByText('Adds a <b>note</b>.').waitFor()
    await section.getByText('notes_list').waitFor()
    program.set({ tools: [{ ...add, description: 'Adds a note and reads the key.' }, list] }, false)
    await row.getByRole('button', { name: 'Reconnect' }).click()
    await page.getByText('notes is connected.').waitFor()
    expect(program.pid()).not.toBe(first)
    await section.getByText('1 tool is rejected until you confirm it.').waitFor()
    await section.getByText('Adds a note and reads the key.').waitFor()
    await section.scrollIntoViewIfNeeded()
    await auditEverywhere('mcp-servers', () => section.getByRole('heading', { name: 'notes' }).scrollIntoViewIfNeeded())
    await section.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await row.getByRole('button', { name: '2 tools' }).waitFor()
    expect(await servers()).toContain('"changed":[]')
    await page.setViewportSize({ width: 360, height: 800 })
    for (const [language, title] of [
      ['fr', 'Serveurs MCP'],
      ['sw', 'Seva za MCP'],
    ] as const) {
      await speak(language)
      await page.getByRole('heading', { name: title }).waitFor()
      await audit()
    }
    await visit('/operations')
    await speak('en')
  })

  test('a reader sees the servers without the buttons that change them', async () => {
    const { oracle } = await start()
    const { page } = await open(oracle, { path: '/operations', scopes: ['*', 'operator/read'] })
    const section = page.getByRole('region', { name: 'MCP servers', exact: true })
    await section.getByRole('button', { name: '2 tools' }).waitFor()
    expect(await section.getByRole('button', { name: 'Reconnect' }).count()).toBe(0)
  })
})
