import { type ErrorDefinitions, errorGroup, type ErrorGroup as GroupOf } from '@sibyl/storage'
import { isOracleError } from './is-error.ts'
import { OracleError } from './oracle-error.ts'
import { ToolFailure } from './tool-failure.ts'

export type { DefinedErrorConstructor } from '@sibyl/storage'

/** Constructors of errors by their names. */
export type ErrorGroup<Definitions extends ErrorDefinitions, Created extends OracleError = OracleError> = GroupOf<
  Definitions,
  Created
>

/**
 * Defines errors: a typed constructor each, named by its code.
 *
 * @example export const tideErrors = defineErrors({
 * port_unknown: { status: 404, message: 'The port {port} does not exist. GET /ports lists them.' }, }) throw
 * tideErrors.port_unknown({ port: 'Atlantis' })
 */
export const defineErrors = <const Definitions extends ErrorDefinitions>(
  definitions: Definitions,
): ErrorGroup<Definitions> => groupOf(definitions, (message, options) => new DefinedOracleError(message, {}, options))

/** Defines errors of tools: the model and the user read their messages. Otherwise like `defineErrors`. */
export const defineToolFailures = <const Definitions extends ErrorDefinitions>(
  definitions: Definitions,
): ErrorGroup<Definitions, ToolFailure> => groupOf(definitions, (message, options) => new ToolFailure(message, options))

class DefinedOracleError extends OracleError {
  readonly code: string = 'internal_error'
}

const groupOf = <Definitions extends ErrorDefinitions, Created extends OracleError>(
  definitions: Definitions,
  create: (message: string, options: ErrorOptions) => Created,
): ErrorGroup<Definitions, Created> =>
  errorGroup(definitions, { create, isCreated: (error): error is Created => isOracleError(error) })
