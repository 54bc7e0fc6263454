import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StdioServer } from '../connection/mcp-server-address.ts'
import type { McpScript, ScriptedEvent } from './mcp-script.test.helper.ts'

/** A program that speaks MCP as a script says; it is started by whoever connects to its address. */
export interface McpProgram {
  readonly address: StdioServer
  /** Each start, list and call that reached it so far. */
  events(): readonly (ScriptedEvent & { readonly pid?: number; readonly env?: Record<string, string> })[]
  /** Changes the script; with `tell`, running programs say that their tools changed. */
  set(part: Partial<McpScript>, notifies?: boolean): void
  /** The process that was started last. */
  pid(): number
  /** Removes its folder. */
  remove(): void
}

const program = fileURLToPath(new URL('mcp-program-process.test.helper.ts', import.meta.url))

/** What keeps Node 22 silent, and what it has compiled once. */
const handedOn = () => {
  const { NODE_OPTIONS = '', NODE_COMPILE_CACHE } = process.env
  return { NODE_OPTIONS, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
}

/** Makes a program; nothing runs yet. */
export const mcpProgram = (script: McpScript, env: Readonly<Record<string, string>> = {}): McpProgram => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-program-'))
  const scriptFile = join(folder, 'script.json')
  writeFileSync(scriptFile, JSON.stringify(script))
  writeFileSync(join(folder, 'events.jsonl'), '')

  const events = () =>
    readFileSync(join(folder, 'events.jsonl'), 'utf8')
      .split('\n')
      // What follows the last line break is not written to its end yet.
      .slice(0, -1)
      .map(line => JSON.parse(line))

  return {
    address: {
      kind: 'stdio',
      command: process.execPath,
      args: ['--conditions=sibyl-source', program, folder],
      env: { ...handedOn(), ...env },
    },
    events,
    set(part, notifies = true) {
      const next = { ...JSON.parse(readFileSync(scriptFile, 'utf8')), ...part }
      writeFileSync(join(folder, 'next.json'), JSON.stringify(next))
      renameSync(join(folder, 'next.json'), scriptFile)
      if (notifies) writeFileSync(join(folder, 'changed'), String(process.hrtime.bigint()))
    },
    pid: () => events().findLast(event => event.what === 'started')?.pid ?? 0,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
