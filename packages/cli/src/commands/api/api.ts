import { once } from 'node:events'
import { parseJson } from '@sibyl/protocol'
import { readInput } from '../../command/read-input.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { type CallerRequest, openCaller } from '../../operations/open-caller.ts'
import { cleanText, safeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { ApiOptions } from './api-command.ts'

/** Maximum size of a body or a file, in bytes. */
const maxBytes = 64_000_000

/** Runs `sibyl api`: sends one request, and prints the response. */
export const api = async (
  route: Pick<CallerRequest, 'method' | 'path'>,
  options: ApiOptions,
  io: CommandIo,
): Promise<ExitCode> => {
  const headers = Object.fromEntries((options.header ?? []).map(text => splitAt(text, ':')))
  const request = { ...(await withFields(route, options, io)), headers }
  const caller = await openCaller(options.operator ? 'operator' : 'user', options, io)
  const { isOk, status } = await caller.send(request, async response => {
    if (options.include) io.stdout.write(cleanText(headOf(response)))
    return printBody(response, io)
  })
  if (isOk) return exitCode.done
  io.stderr.write(`sibyl: The oracle answered ${status}.\n`)
  return exitCode.failed
}

/** Adds the body of the options to a request; the fields of a GET are its query. */
const withFields = async (
  { method, path }: Pick<CallerRequest, 'method' | 'path'>,
  { field = [], rawField = [], input }: ApiOptions,
  io: CommandIo,
): Promise<CallerRequest> => {
  const isRead = method === 'GET' || method === 'HEAD'
  if (input !== undefined && isRead) throw cliErrors.usage_invalid('A GET has no body.', 'Pass its query with -f.')
  if (input !== undefined) return { method, path, body: new Uint8Array(await readInput(input, io, { maxBytes })) }
  const fields = new Map<string, unknown>(rawField.map(text => splitAt(text, '=')))
  for (const [name, value] of field.map(text => splitAt(text, '='))) fields.set(name, await typedValue(value, io))
  if (fields.size === 0) return { method, path }
  if (!isRead) return { method, path, body: JSON.stringify(Object.fromEntries(fields)) }
  const query = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]))
  return { method, path: `${path}${path.includes('?') ? '&' : '?'}${query}` }
}

const splitAt = (text: string, separator: string): readonly [string, string] => {
  const place = text.indexOf(separator)
  return [text.slice(0, place), text.slice(place + 1)]
}

const typedValue = async (text: string, io: CommandIo): Promise<unknown> => {
  if (text.startsWith('@')) return String(await readInput(text.slice(1), io, { maxBytes }))
  return /^(true|false|null|-?(0|[1-9]\d{0,14})(\.\d+)?)$/.test(text) ? JSON.parse(text) : text
}

const headOf = ({ status, statusText, headers }: Response): string =>
  `HTTP/1.1 ${status} ${statusText}\n${[...headers].map(([name, value]) => `${name}: ${value}\n`).join('')}\n`

/** Prints a body as it arrives. Returns its JSON if the status is not 2xx. */
const printBody = async (response: Response, { stdout }: CommandIo): Promise<unknown> => {
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
  if (!response.ok || (isJson && stdout.isTTY)) {
    const text = await response.text()
    const content = parseJson(text)
    const isIndented = stdout.isTTY && content !== undefined
    stdout.write(isIndented ? `${safeJson(content, 2)}\n` : stdout.isTTY ? cleanText(text) : text)
    return content
  }
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    const isFull = !stdout.write(stdout.isTTY ? cleanText(decoder.decode(chunk, { stream: true })) : chunk)
    if (isFull) await once(stdout, 'drain')
  }
  return undefined
}
