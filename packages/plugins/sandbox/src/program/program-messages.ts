/** A file that a program finds or wrote. */
export interface ProgramFile {
  readonly name: string
  readonly content: string | Uint8Array
}

/** What a worker is told to run, once. */
export interface Program {
  readonly code: string
  readonly files: readonly { readonly name: string; readonly text: string }[]
  readonly timeLimitMs: number
}

/** How a program ended, as its worker says. */
export interface ProgramEnd {
  /** The value of its last expression, unless it failed. */
  readonly result?: string
  /** Why it failed. */
  readonly error?: string
  /** The files that it wrote. */
  readonly files: readonly ProgramFile[]
  readonly durationMs: number
}

/** What a worker tells: that it is ready, that the program begins, what it prints, at last how it ended. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begun' }
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'end'; readonly end: ProgramEnd }
