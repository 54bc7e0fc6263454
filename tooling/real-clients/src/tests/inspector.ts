import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const program = fileURLToPath(
  new URL(
    '../../clients/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    import.meta.url,
  ),
)

/** The command line of the MCP Inspector, for one server. */
export interface Inspector {
  /** Runs a command, and returns its exit code and the JSON that it printed, on standard error if it failed. */
  run(...args: readonly string[]): Promise<{ code: number | null; json: unknown }>
  /** Runs a tool. */
  call(tool: string, input: object, ...args: readonly string[]): Promise<{ code: number | null; json: unknown }>
}

/**
 * Runs the MCP Inspector as a process, with a home folder of its own.
 *
 * @param server Arguments that name the server.
 */
export const inspector = async (...server: readonly string[]): Promise<Inspector> => {
  const home = await mkdtemp(join(tmpdir(), 'sibyl-inspector-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const env = { ...process.env, HOME: home, USERPROFILE: home, SIBYL_HOME: join(home, 'sibyl') }
  const run: Inspector['run'] = async (...args) => {
    const child = spawn(
      process.execPath,
      [program, '--cli', ...server, '--format', 'json', '--quiet', '--stored-auth-only', ...args],
      { env, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const [output, errors, code] = await Promise.all([
      textOf(child.stdout),
      textOf(child.stderr),
      new Promise<number | null>(resolve => child.on('close', resolve)),
    ])
    return { code, json: parse(output.trim() || errors.trim()) }
  }
  return {
    run,
    call: (tool, input, ...args) =>
      run('--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(input), ...args),
  }
}

const textOf = async (stream: AsyncIterable<Buffer>) => {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}

/** A text that is not JSON stays one, for the error of the assertion. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
