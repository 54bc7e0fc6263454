/** States of a task that the oracle uses. */
export const taskStates = ['working', 'input-required', 'auth-required', 'completed', 'failed', 'canceled'] as const

export type TaskState = (typeof taskStates)[number]

/** Returns the name of a state in A2A: `TASK_STATE_INPUT_REQUIRED`. */
export const wireState = (state: TaskState): string => `TASK_STATE_${state.replaceAll('-', '_').toUpperCase()}`

/** Returns the state with that name in A2A; undefined for one that the oracle does not use. */
export const stateOfWire = (name: string): TaskState | undefined => taskStates.find(state => wireState(state) === name)

/** Returns whether a task has ended for good. */
export const isTerminal = (state: TaskState): boolean =>
  state === 'completed' || state === 'failed' || state === 'canceled'
