/** Called with the error of a request that a strict model API rejects. @default throws it outside of all calls, so that the test fails */
export type OnViolation = (violation: string) => void

/** Fails the process, and so the test run: a test may expect the error of a turn that it did not mean to cause. */
export const failTest: OnViolation = violation => {
  queueMicrotask(() => {
    throw new Error(`The fake model server rejects a request: ${violation}`)
  })
}
