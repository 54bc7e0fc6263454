import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { bundledSibyl } from '../../process/bundled-sibyl.test.helper.ts'
import { folderWith, inherited } from '../../project/project-folder.test.helper.ts'

const packages = join(import.meta.dirname, '../../../../../templates/weather/node_modules')

const main = `
import { createOracleApp } from '@sibyl/core'
import { loadEnvFile, runUntilSignal } from '@sibyl/core/start'
import { pump } from './plugins/pump.ts'

await runUntilSignal(() => {
  loadEnvFile()
  return createOracleApp({ plugins: [pump()] })
})
`

/** The source of a plugin whose tool says so. */
export const pumpPlugin = (text: string): string => `
import { definePlugin, defineTool } from '@sibyl/plugin'
import { z } from 'zod'

export const pump = () =>
  definePlugin({
    name: 'pump',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'Pump',
      summary: 'Tells of the pump.',
      whenToUse: ['someone asks for the pump'],
      load: 'always',
      examples: [{ user: ['How is the pump?'], tool: 'look_at_pump', args: {}, answer: '{state}' }],
    },
    setup: () => ({
      tools: {
        look_at_pump: defineTool({
          description: 'Looks at the pump.',
          effect: 'read',
          input: z.object({}),
          output: z.object({ state: z.string() }),
          execute: async () => ({ state: ${JSON.stringify(text)} }),
        }),
      },
    }),
  })
`

/** A project with a plugin of its own; gone after the test. */
export const pumpProject = (): string => {
  const folder = folderWith({
    'package.json': '{"type":"module"}',
    'oracle.config.json': '{"name":"Field Oracle"}',
    '.env': 'PORT=0\n',
    'src/main.ts': main,
    'src/plugins/pump.ts': pumpPlugin('It is dry.'),
  })
  mkdirSync(join(folder, 'node_modules'))
  for (const name of ['@sibyl', 'zod']) symlinkSync(join(packages, name), join(folder, 'node_modules', name))
  return folder
}

/** A line of `sibyl dev --json`. */
export interface DevEvent {
  readonly type: string
  readonly url?: string
  readonly files?: readonly string[]
  readonly durationMs?: number
  readonly end?: number | string
}

/** `sibyl dev` as a process in a project, ended after the test. */
export const startDev = (folder: string, args: readonly string[] = ['--json'], env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [bundledSibyl, 'dev', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...inherited(), NO_COLOR: '1', SIBYL_HOME: join(folder, 'home'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const shown = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', text => {
      shown[name] += text
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ code: code ?? signal, ...shown }))
  // The oracle, too, has ended before its folder is removed.
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let read = 0

  /** Waits for words on a stream; fails when the command ends without them. */
  const until = async (words: string, name: 'stdout' | 'stderr' = 'stdout') => {
    const lost = ended.then(end => {
      throw new Error(`It ended without ${JSON.stringify(words)}: ${JSON.stringify(end)}`)
    })
    lost.catch(() => {})
    while (!shown[name].includes(words)) await Promise.race([once(child[name], 'data'), lost])
  }
  return {
    ended,
    shown,
    until,
    /** Waits for the next event; what is only reloading does not count. */
    async next(): Promise<DevEvent> {
      for (;;) {
        let end = shown.stdout.indexOf('\n', read)
        for (; end < 0; end = shown.stdout.indexOf('\n', read)) {
          const isOver = await Promise.race([once(child.stdout, 'data').then(() => false), ended.then(() => true)])
          if (isOver) throw new Error(`It ended: ${JSON.stringify(shown)}`)
        }
        const event = JSON.parse(shown.stdout.slice(read, end)) as DevEvent
        read = end + 1
        if (event.type !== 'reloading') return event
      }
    },
    kill(signal: NodeJS.Signals) {
      child.kill(signal)
    },
  }
}
