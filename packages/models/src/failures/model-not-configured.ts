import { OracleError } from '@sibyl/plugin'

/** A language model was asked for, and none is set. */
export class ModelNotConfigured extends OracleError {
  readonly code = 'model_not_configured'
  override readonly status = 503

  /** @param remedy The missing setting and how to set it, without any value. */
  constructor(remedy: string) {
    super(`No language model is configured: ${remedy}`)
  }
}
