import type { StorageErrorFacts } from './storage-error.ts'

/** Definition of an error, under the name that is its code. */
export interface ErrorDefinition {
  /** HTTP status of the response. @default 500 */
  readonly status?: number
  /**
   * The cause, the reason and the remedy. `{name}` is a parameter; a path parameter is written `:id`. Never a secret.
   */
  readonly message: string
  /** The meaning, for a list of all errors, if the message is mostly parameters. */
  readonly summary?: string
  /** A code other than the name, for an error that has several messages. */
  readonly code?: string
}

/** A value that a message can hold; a list is joined with commas. */
export type ErrorParameter = string | number | readonly string[]

/** Names of the parameters of a message: `'path' | 'reason'` of `'{path} is invalid: {reason}'`. */
export type ErrorParameterName<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string}${' ' | '"' | '{' | ':'}${string}` ? never : Name) | ErrorParameterName<Rest>
  : never

/** Options of one thrown error. */
export interface ErrorDetails extends ErrorOptions {
  /** Invalid parts of the input; in the response as `issues`. */
  readonly issues?: readonly { readonly path: string; readonly code?: string; readonly message: string }[]
  /** Data for the log, never a secret. @default the parameters of the message */
  readonly facts?: StorageErrorFacts
}

/** Arguments of a constructor: the parameters, if the message has any, and options. */
type ConstructorArguments<Message extends string> = string extends Message
  ? [parameters?: Readonly<Record<string, ErrorParameter>>, details?: ErrorDetails]
  : [ErrorParameterName<Message>] extends [never]
    ? [details?: ErrorDetails]
    : [parameters: { readonly [Name in ErrorParameterName<Message>]: ErrorParameter }, details?: ErrorDetails]

/** A defined error for routes, tests and the reference page. */
export interface DefinedError<Created extends Error = Error> {
  /** Stable, snake_case. */
  readonly code: string
  readonly status: number
  /** The message with its parameters as `{name}`. */
  readonly message: string
  /** Returns whether an error has this code, whichever copy of this package created it. */
  is(error: unknown): error is Created
}

/** Creates an error to throw. */
export interface DefinedErrorConstructor<Message extends string, Created extends Error> extends DefinedError<Created> {
  (...parameters: ConstructorArguments<Message>): Created
}

/** Constructors of errors by their names. */
export type ErrorGroup<Definitions extends ErrorDefinitions, Created extends Error> = {
  readonly [Name in keyof Definitions]: DefinedErrorConstructor<Definitions[Name]['message'], Created>
}

export type ErrorDefinitions = Readonly<Record<string, ErrorDefinition>>

interface ErrorClass<Created extends Error> {
  create(message: string, options: ErrorOptions): Created
  isCreated(error: unknown): error is Created & { readonly code: string }
  /** Appended to the names of the errors. @default nothing */
  readonly suffix?: string
}

/** Creates the constructors of errors: a typed one each, named by its code. */
export const errorGroup = <const Definitions extends ErrorDefinitions, Created extends Error>(
  definitions: Definitions,
  errorClass: ErrorClass<Created>,
): ErrorGroup<Definitions, Created> => {
  const constructors = Object.entries(definitions).map(([name, definition]) => [
    name,
    constructorOf(name, definition, errorClass),
  ])
  return Object.fromEntries(constructors)
}

const constructorOf = <Created extends Error>(
  definedName: string,
  { code = definedName, status = 500, message }: ErrorDefinition,
  { create, isCreated, suffix = '' }: ErrorClass<Created>,
) => {
  const hasParameters = message.search(parameterForm) >= 0
  const name = classNameOf(definedName) + suffix
  const construct = (...given: readonly unknown[]): Created => {
    const parameters = (hasParameters ? (given[0] ?? {}) : {}) as Readonly<Record<string, ErrorParameter>>
    const { issues, facts = parameters, ...options } = (given[hasParameters ? 1 : 0] ?? {}) as ErrorDetails
    const error = Object.assign(create(textOf(message, parameters), options), { name, code, status, facts, issues })
    Error.captureStackTrace(error, construct)
    return error
  }
  return Object.assign(construct, {
    code,
    status,
    message,
    is: (error: unknown) => isCreated(error) && error.code === code,
  })
}

const parameterForm = /\{([^{}\s":]+)\}/g

const textOf = (message: string, parameters: Readonly<Record<string, ErrorParameter>>): string =>
  message.replaceAll(parameterForm, (placeholder, name: string) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (value === undefined) return placeholder
    return typeof value === 'object' ? value.join(', ') : String(value)
  })

/** `FilePathInvalid` of `file_path_invalid`. */
const classNameOf = (definedName: string): string =>
  definedName.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
