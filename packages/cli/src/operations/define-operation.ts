import type { z } from 'zod'
import {
  type CommandCall,
  type CommandDefinition,
  type CommandMaker,
  defineCommand,
  type OptionDefinitions,
  type PositionalDefinitions,
} from '../command/define-command.ts'
import type { CommandError } from '../errors/command-error.ts'
import type { Caller, CallerName, OperationInput } from './open-caller.ts'

type Responses = typeof import('./responses.ts').responses

/** The content of a response, by the name of its schema. */
export type ContentOf<Name extends keyof Responses> = z.output<Responses[Name]>

/** Errors of the oracle with a remedy of the command, by code or status. */
export type OperationErrors = Readonly<Record<string, (cause: unknown) => CommandError>>

/** A command that calls one operation of the API of an oracle. */
export interface Operation<
  Positionals extends PositionalDefinitions,
  Options extends OptionDefinitions,
  Name extends keyof Responses,
> extends Omit<CommandDefinition<Positionals, Options>, 'commands' | 'run'> {
  /** Its method and path in the OpenAPI document: `DELETE /people/{person}`. */
  readonly route: string
  /** The credential that it sends. With `--operator`, an operation of the user is called as the operator. */
  readonly caller: CallerName
  /** Parameters, body and headers of the request. Throws `usage_invalid`, or `interrupted` if a question was canceled. */
  readonly input?: (call: CommandCall<Positionals, Options>, caller: Caller) => OperationInput | Promise<OperationInput>
  /** Schema of the response. */
  readonly response: Name
  /** Name of the list in the response, which the operator reads in pages. */
  readonly list?: string
  /** Prints the content, without `--json`. */
  readonly print: (content: ContentOf<Name>, call: CommandCall<Positionals, Options>) => void
  /** The object of `--json`. @default the content */
  readonly json?: (call: CommandCall<Positionals, Options>) => object
  readonly errors?: OperationErrors
}

/** Defines a command as a row over the OpenAPI operations. */
export const defineOperation = <
  const Positionals extends PositionalDefinitions,
  const Options extends OptionDefinitions,
  Name extends keyof Responses,
>(
  operation: Operation<Positionals, Options, Name>,
): CommandMaker =>
  defineCommand<Positionals, Options>({
    ...operation,
    run: async call => (await import('./run-operation.ts')).runOperation(operation, call),
  })
