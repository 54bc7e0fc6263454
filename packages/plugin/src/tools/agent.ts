/** The work of an agent behind a tool. */
export interface Agent {
  /** The instructions of its model. */
  readonly instructions: string
  /**
   * The names of the tools that it may call, of its own plugin and of `capabilities`. Each call passes the gate with the rights
   * of the caller; one that requires approval fails.
   */
  readonly tools: readonly string[]
  /** Capabilities that are loaded for it, besides its own plugin. */
  readonly capabilities?: readonly string[]
  /** Most calls of its model for a task. @default 8 */
  readonly maxSteps?: number
  /** Most input and output tokens for a task. They also count for the turn. @default 50,000 */
  readonly maxTokens?: number
}

/** The input of the tool of an agent. */
export interface AgentTask {
  readonly task: string
}

/** The result of the tool of an agent. */
export interface AgentAnswer {
  readonly answer: string
  /** The names of the tools that it ran, in order. */
  readonly tools: readonly string[]
  /** Why it stopped before it was done. */
  readonly stopped?: string | undefined
}
