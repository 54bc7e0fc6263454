import { argumentsOf, McpError, type McpResult, type McpService, type McpTool, textOfResult } from '@sibyl/mcp-client'
import { type LineLimits, ToolFailure, type WaitingLine } from '@sibyl/plugin'
import type { codeRunner, JsonObject, ServiceOf } from '@sibyl/protocol'
import { z } from 'zod'
import { assertCodeInput } from './code-input.ts'
import { takeSlot } from './code-pool.ts'
import type { CodeOutcome, CodeOutputFile } from './code-run.ts'
import { isFileName } from './program/program-files.ts'
import { programLimits } from './program/program-messages.ts'
import type { SandboxTools } from './sandbox-tool-names.ts'

/** Limits of the programs that the server runs for this oracle at the same time, and that wait. */
export const remoteLine: LineLimits = { running: 4, waiting: 16, waitingPerHolder: 2, waitMs: 60_000 }

/** Limits of a server whose tool the operator maps: such servers often share one folder between programs. */
export const mappedLine: LineLimits = { ...remoteLine, running: 1 }

/** Runs programs with a tool of an MCP server. The server receives no data about the user. */
export const createRemoteRunner = (
  server: Pick<McpService, 'state' | 'fault' | 'tools' | 'call'>,
  line: WaitingLine,
  tools: SandboxTools,
): ServiceOf<typeof codeRunner> => {
  return {
    languages: () => (server.state() === 'ready' ? languagesOf(server.tools(), tools) : []),
    run: async ({ language, code, files = [], actor, signal }) => {
      assertCodeInput({ code, files })
      if (server.fault() !== undefined) throw new ToolFailure(unmapped)
      if (server.state() !== 'ready') throw new ToolFailure(away)
      const languages = languagesOf(server.tools(), tools)
      if (languages.length > 0 && !languages.includes(language)) {
        throw new ToolFailure(`The sandbox supports ${languages.join(', ')}. Use one of these languages.`)
      }
      const taken = argumentsOf(server.tools().find(({ name }) => name === tools.run_code))
      const takesFiles = taken.length === 0 || taken.includes(tools.files)
      if (files.length > 0 && !takesFiles) {
        throw new ToolFailure('The sandbox takes no files. Write their contents into the program.')
      }
      const place = await takeSlot(line, actor, signal)
      try {
        const given = files.map(({ name, text }) => ({ name, text }))
        const args = { [tools.language]: language, [tools.code]: code, ...(takesFiles ? { [tools.files]: given } : {}) }
        return await call(server, tools.run_code, args, signal)
      } finally {
        place.release()
      }
    },
  }
}

const unmapped =
  'The remote sandbox lacks the tool that runs programs. Ask the operator to check the log, which lists its tools and what to set.'

const away = 'The remote sandbox is unreachable. Try again in a minute.'

const call = async (
  server: Pick<McpService, 'call'>,
  tool: string,
  args: JsonObject,
  signal: AbortSignal,
): Promise<CodeOutcome> => {
  const started = performance.now()
  try {
    const answer = await server.call(tool, args, signal)
    return readRemoteResult(answer, Math.round(performance.now() - started))
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof McpError)) throw error
    throw new ToolFailure(sentences[error.code] ?? away, { cause: error })
  }
}

const sentences: Readonly<Record<string, string | undefined>> = {
  mcp_timeout: 'The remote sandbox took too long.',
  mcp_tool_missing: unmapped,
  mcp_call_failed: 'The remote sandbox rejected the call, or returned an invalid result.',
}

/** Returns the values that its tool accepts as `language`; empty if its schema does not list them. */
export const languagesOf = (tools: readonly McpTool[], { run_code, language }: SandboxTools): readonly string[] => {
  const schema = tools.find(({ name }) => name === run_code)?.inputSchema
  const listed = member(member(member(schema, 'properties'), language), 'enum')
  if (!Array.isArray(listed)) return []
  return listed.filter(one => typeof one === 'string' && /^[\w+#.-]{1,40}$/.test(one)).slice(0, 40)
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

const { resultCharacters, outputCharacters, errorCharacters, filesWritten, writtenBytes } = programLimits

const cut = (characters: number) => z.string().transform(text => text.slice(0, characters))

const structured = z.object({
  ok: z.boolean(),
  result: cut(resultCharacters).nullish(),
  output: cut(outputCharacters).nullish(),
  error: cut(errorCharacters).nullish(),
  files: z
    .array(z.object({ name: z.string(), text: z.string(), encoding: z.enum(['utf8', 'base64']).default('utf8') }))
    .nullish(),
  durationMs: z.number().min(0).nullish(),
})

/**
 * Parses the result of a remote sandbox: its structured content, or else its text as printed output. Files with invalid
 * or duplicate names are omitted, as is everything beyond the limits.
 *
 * @param durationMs Duration of the call, if the result has none.
 */
const readRemoteResult = (answer: McpResult, durationMs: number): CodeOutcome => {
  const known = structured.safeParse(answer.structured)
  if (!known.success) return readText(answer, durationMs)
  const { ok, result, output, error, files, durationMs: sent } = known.data
  const failed = error ?? (ok && !answer.isError ? undefined : 'The program failed.')
  const kept = new Map<string, CodeOutputFile>()
  let bytes = 0
  for (const { name, text, encoding } of files ?? []) {
    const size = encoding === 'base64' ? Math.floor((text.length * 3) / 4) : Buffer.byteLength(text)
    if (!isFileName(name) || kept.has(name) || kept.size === filesWritten || bytes + size > writtenBytes) continue
    bytes += size
    kept.set(name, { name, bytes: size, text, encoding })
  }
  return {
    ok: failed === undefined,
    ...(result === null || result === undefined ? {} : { result }),
    output: output ?? '',
    ...(failed === undefined ? {} : { error: failed }),
    files: [...kept.values()],
    durationMs: sent ?? durationMs,
  }
}

const readText = (answer: McpResult, durationMs: number): CodeOutcome => {
  const text = textOfResult(answer)
  if (answer.isError)
    return { ok: false, output: '', error: text.slice(0, errorCharacters) || 'It failed.', files: [], durationMs }
  return { ok: true, output: text.slice(0, outputCharacters), files: [], durationMs }
}
