/** A step of the demo did not go as it should; the message says what was expected and what came. */
export class DemoFailure extends Error {
  readonly code = 'demo_failed'
}

/** Fails the demo unless the condition holds. */
export const expectThat: (condition: unknown, otherwise: string) => asserts condition = (condition, otherwise) => {
  if (!condition) throw new DemoFailure(otherwise)
}
