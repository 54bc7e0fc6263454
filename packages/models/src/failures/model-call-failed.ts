import { OracleError } from '@sibyl/plugin'
import { type ModelFailureCode, modelFailureText } from './classify-model-failure.ts'

/** Facts of a failed call besides its code. */
export interface ModelCallFacts {
  /** The provider's HTTP status. */
  readonly status?: number | undefined
  /** The codes that provider, network and HTTP client gave, such as `ECONNREFUSED`. */
  readonly reasons?: readonly string[]
}

/**
 * A call of the language model failed. Text and facts hold nothing that the provider wrote but codes, so that they can
 * be shown and logged.
 */
export class ModelCallFailed extends OracleError {
  readonly code: ModelFailureCode

  constructor(code: ModelFailureCode, facts: ModelCallFacts = {}) {
    super(modelFailureText(code), { ...facts })
    this.code = code
  }
}
