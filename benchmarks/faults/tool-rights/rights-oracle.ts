import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { bundledPlugins } from '@sibyl/bundle'
import { listEnvVariables } from '@sibyl/core'
import { startMcpServer } from '@sibyl/mcp-client/testing'
import { switchedOn, type TestApp, testApp } from '@sibyl/testing'
import { unlimited } from '../frame/unlimited.ts'
import { type NotedTools, notedPlugins } from './noted-plugins.ts'
import { callAll, Plans } from './plans.ts'
import { type Probe, probePlugin } from './probe-plugin.ts'

/** A clock that goes as fast as the computer's, and can be moved ahead. */
export const movableClock = () => {
  let aheadMs = 0
  return {
    now: () => Date.now() + aheadMs,
    move(ms: number) {
      aheadMs += ms
    },
  }
}

/** An oracle with every bundled plugin and MCP servers, whose tools are noted. */
export interface RightsOracle extends AsyncDisposable {
  readonly app: TestApp['app']
  readonly plans: Plans
  readonly probe: Probe
  readonly clock: ReturnType<typeof movableClock>
  /** The tools that a caller with all abilities is offered. */
  readonly offered: readonly string[]
  /** The tools that are tried, with what their plugins say of them. */
  readonly tools: NotedTools
}

/** The abilities of the tools of MCP servers in the trial: by default, and as `mcp.json` names it. */
const mcpServers = (url: string) => ({
  notes: { url, sibyl: { trusted: true } },
  vault: { url, sibyl: { trusted: true, ability: 'vault/open' } },
})

const mcpTools = [{ name: 'look', annotations: { readOnlyHint: true } }, { name: 'change' }]

/** Starts an MCP server on loopback; its tools say what they were called with. */
export const startNotes = () =>
  startMcpServer({ tools: mcpTools.map(tool => ({ ...tool, inputSchema: { type: 'object' } })) })

/**
 * Boots the oracle.
 *
 * @param mcpUrl The MCP server of `startNotes`.
 * @param env Settings that go before its own.
 * @param shared What it has in common with the process before it.
 */
export const bootRightsOracle = async (
  mcpUrl: string,
  env: Readonly<Record<string, string>> = {},
  shared: Pick<RightsOracle, 'plans' | 'clock'> = { plans: new Plans(), clock: movableClock() },
): Promise<RightsOracle> => {
  const { plans, clock } = shared
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-tool-rights-'))
  const file = join(folder, 'mcp.json')
  const servers = mcpServers(mcpUrl)
  writeFileSync(file, JSON.stringify({ mcpServers: servers }))
  const tools: NotedTools = new Map()
  const { plugin, probe } = probePlugin(tools)
  const oracle = await testApp({
    plugins: [...notedPlugins(bundledPlugins(), plans, tools), plugin],
    model: plans.model(),
    clock,
    env: {
      ...switchedOn(bundledPlugins(), inFolder(folder)),
      ...unlimited,
      MCP_SERVERS_FILE: file,
      USSD_GATEWAY_RATE: '0',
      USSD_PHONE_RATE: '0',
      ...env,
    },
  })
  await oracle.app.ready
  while (oracle.app.capabilities().some(({ name, state }) => name in servers && state !== 'ready')) await pause(10)
  const plan = plans.make(made => [callAll(made, [], { id: 'none' })])
  await oracle.chat(plan.text)
  return {
    offered: [...plan.offered],
    app: oracle.app,
    plans,
    probe,
    clock,
    tools,
    async [Symbol.asyncDispose]() {
      await oracle.app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The variables of plugins that name a place for files. */
const inFolder = (folder: string): Record<string, string> =>
  Object.fromEntries(
    listEnvVariables(bundledPlugins()).flatMap(({ owner, name, default: usual }) =>
      owner !== 'core' && usual?.startsWith('./') ? [[name, join(folder, usual)]] : [],
    ),
  )
