import { classifyModelFailure } from './classify-model-failure.ts'
import { ModelCallFailed } from './model-call-failed.ts'

/**
 * What a failed call of a model throws and streams: nothing that the provider wrote is left in it. An error that no model
 * call can have thrown stays what it is.
 */
export const safeModelError = (error: unknown): unknown => {
  if (error instanceof ModelCallFailed) return error
  const { code, status, reasons } = classifyModelFailure(error)
  if (code === 'turn_failed') return error
  return new ModelCallFailed(code, {
    ...(status === undefined ? {} : { status }),
    ...(reasons === undefined ? {} : { reasons }),
  })
}
