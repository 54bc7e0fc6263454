import { classifyModelFailure } from './classify-model-failure.ts'
import { ModelCallFailed } from './model-call-failed.ts'

/** Returns an error of a model call without any text of the provider. An error of another origin stays unchanged. */
export const safeModelError = (error: unknown): unknown => {
  if (error instanceof ModelCallFailed) return error
  const { code, status, reasons } = classifyModelFailure(error)
  if (code === 'turn_failed') return error
  return new ModelCallFailed(code, {
    ...(status === undefined ? {} : { status }),
    ...(reasons === undefined ? {} : { reasons }),
  })
}
