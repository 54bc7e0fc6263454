import { ProblemError } from '@sibyl/client'
import type { CommandCall, OptionDefinitions, PositionalDefinitions } from '../command/define-command.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../errors/exit-code.ts'
import { writeJson } from '../output/clean-text.ts'
import type { CommandIo } from '../process/command-io.ts'
import type { ContentOf, Operation, OperationErrors } from './define-operation.ts'
import { type CallerOptions, openCaller } from './open-caller.ts'
import { responses } from './responses.ts'

const pageSize = 1000

/** Runs a command that calls an operation: sends the request, and prints the response. */
export const runOperation = async <
  Positionals extends PositionalDefinitions,
  Options extends OptionDefinitions,
  Name extends keyof typeof responses,
>(
  operation: Operation<Positionals, Options, Name>,
  call: CommandCall<Positionals, Options>,
): Promise<ExitCode | undefined> => {
  const { io } = call
  const options: CallerOptions & { readonly operator?: unknown; readonly json?: boolean } = call.options
  const name = operation.caller === 'user' && options.operator ? 'operator' : operation.caller
  const caller = await openCaller(name, options, io)
  const read = (content: unknown) => responses[operation.response].parse(content) as ContentOf<Name>
  return reportCanceled(io, async () => {
    const input = (await operation.input?.(call, caller)) ?? {}
    const send = async (page = {}) =>
      read(await caller.call(operation.route, { ...input, query: { ...input.query, ...page } }))
    const { list } = operation
    const content = await (list !== undefined && name === 'operator' ? readPages(send, list) : send()).catch(error => {
      throw explainProblem(error, operation.errors)
    })
    if (options.json) writeJson(io, operation.json?.(call) ?? (content as object))
    else operation.print(content, call)
  })
}

/** Reports on standard error that nothing was changed if the user cancels a question of the work. */
export const reportCanceled = async (
  { stderr }: CommandIo,
  work: () => Promise<void>,
): Promise<ExitCode | undefined> => {
  try {
    await work()
    return undefined
  } catch (error) {
    if (!cliErrors.interrupted.is(error)) throw error
    stderr.write('Nothing was changed.\n')
    return exitCode.interrupted
  }
}

const explainProblem = (error: unknown, errors: OperationErrors = {}): unknown => {
  if (!(error instanceof ProblemError)) return error
  return (errors[error.code] ?? errors[error.status])?.(error) ?? error
}

/** Reads a whole list, in pages of which each is after the last ID or hash of the one before. */
const readPages = async <Content>(
  send: (page: Readonly<Record<string, string>>) => Promise<Content>,
  list: string,
): Promise<Content> => {
  const all: { readonly id: string; readonly hash?: string }[] = []
  for (;;) {
    const last = all.at(-1)
    const content = await send({ limit: String(pageSize), ...(last ? { after: last.hash ?? last.id } : {}) })
    const items = (content as Readonly<Record<string, typeof all>>)[list] ?? []
    all.push(...items)
    if (items.length < pageSize) return { ...content, [list]: all }
  }
}
