import type { BootError } from './boot-error.ts'
import { type ErrorKind, errorKinds } from './error-kind.ts'
import type { OracleError } from './oracle-error.ts'
import type { PersonNeeded } from './person-needed.ts'
import type { ToolFailure } from './tool-failure.ts'

const isOfKind = (error: unknown, kind: ErrorKind): boolean =>
  error instanceof Error && ((error as { [errorKinds]?: readonly unknown[] })[errorKinds]?.includes(kind) ?? false)

/** Returns whether an error has a stable `code` and a message that is safe to show. */
export const isOracleError = (error: unknown): error is OracleError => isOfKind(error, 'oracle')

/** Returns whether the message of an error may be shown to the model. */
export const isToolFailure = (error: unknown): error is ToolFailure => isOfKind(error, 'tool')

/** Returns whether a tool asks the user a question. */
export const isPersonNeeded = (error: unknown): error is PersonNeeded => isOfKind(error, 'question')

/** Returns whether an error lists the problems that prevent a start. */
export const isBootError = (error: unknown): error is BootError => isOfKind(error, 'boot')
